/// How many sign-in prompts a user is shown before they are left in peace.
struct PromptBudget: Sendable {
    /// The most prompts in a row without a success or a gesture.
    let limit: Int
    private(set) var spent = 0

    /// A budget that is whole.
    init(limit: Int) {
        self.limit = limit
    }

    /// Takes one prompt from the budget; false when nothing is left.
    mutating func spend() -> Bool {
        guard spent < limit else { return false }
        spent += 1
        return true
    }

    /// A sign-in has succeeded, or the user has asked for something: the budget is whole again.
    mutating func renew() {
        spent = 0
    }
}
