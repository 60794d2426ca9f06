/// A limit on the sign-in prompts that a user is shown.
struct PromptBudget: Sendable {
    /// The most prompts in a row without a success or a user gesture.
    let limit: Int
    private(set) var usedPrompts = 0

    /// Creates a full budget.
    init(limit: Int) {
        self.limit = limit
    }

    /// Uses one prompt of the budget; returns false when the budget is exhausted.
    mutating func usePrompt() -> Bool {
        guard usedPrompts < limit else { return false }
        usedPrompts += 1
        return true
    }

    /// Refills the budget after a successful sign-in or a user gesture.
    mutating func reset() {
        usedPrompts = 0
    }
}
