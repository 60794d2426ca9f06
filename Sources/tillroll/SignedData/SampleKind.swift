import ArgumentParser

/// The kinds of signed data that are made.
enum SampleKind: String, ExpressibleByArgument, CaseIterable, Sendable {
    case transaction, renewal, notification
    case appTransaction = "app-transaction"
}
