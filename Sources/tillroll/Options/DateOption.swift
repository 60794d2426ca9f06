import ArgumentParser
import PurchaseModel
import PurchaseProof

/// A point in time on the command line: `2025-01-31` or `2025-01-31T12:34:56Z`.
struct DateOption: ExpressibleByArgument, Sendable {
    let timestamp: Timestamp

    init?(argument: String) {
        guard let timestamp = Timestamp(rfc3339: argument) ?? Timestamp(rfc3339: "\(argument)T00:00:00Z") else { return nil }
        self.timestamp = timestamp
    }
}
