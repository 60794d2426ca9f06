/// Where a fault can be felt.
///
/// What people and tests do to a store never fails on purpose.
public enum FaultSurface: String, Codable, Hashable, Sendable, CaseIterable {
    /// The protocol of devices.
    case device
    /// `verifyReceipt`.
    case verifyReceipt
    /// The App Store Server API.
    case serverAPI
    /// What is posted to developers' servers.
    case notifications
}
