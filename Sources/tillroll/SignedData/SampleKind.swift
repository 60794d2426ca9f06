import ArgumentParser

/// The kinds of signed data that the command issues.
enum SampleKind: String, ExpressibleByArgument, CaseIterable, Sendable {
    case transaction, renewal, notification
    case appTransaction = "app-transaction"
}
