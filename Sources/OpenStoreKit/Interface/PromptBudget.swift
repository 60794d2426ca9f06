/// A limit on the sign-in prompts that a user is shown.
struct PromptBudget: Sendable {
    /// The most prompts in a row without a success or a user gesture.
    let limit: Int
    private(set) var spent = 0

    /// Creates a full budget.
    init(limit: Int) {
        self.limit = limit
    }

    /// Takes one prompt from the budget; false when the budget is empty.
    mutating func spend() -> Bool {
        guard spent < limit else { return false }
        spent += 1
        return true
    }

    /// Refills the budget after a successful sign-in or a user gesture.
    mutating func renew() {
        spent = 0
    }
}
