/// The number of sign-in prompts that the device may still show in a row.
struct PromptBudget: Sendable {
    /// The maximum number of prompts in a row without a successful sign-in or a user gesture.
    let limit: Int
    private(set) var usedPrompts = 0

    /// Creates a budget with all prompts available.
    init(limit: Int) {
        self.limit = limit
    }

    /// Counts a prompt; returns false if the limit is reached.
    mutating func usePrompt() -> Bool {
        guard usedPrompts < limit else { return false }
        usedPrompts += 1
        return true
    }

    /// Makes all prompts available again, after a successful sign-in or a user gesture.
    mutating func reset() {
        usedPrompts = 0
    }
}
