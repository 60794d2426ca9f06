/// A parent must approve a payment, and its user has not agreed yet to ask one.
struct PermissionNeeded: Error {}
