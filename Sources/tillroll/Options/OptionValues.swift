import ArgumentParser
import Foundation
import FoundationExtras
import PurchaseModel
import PurchaseProof

/// A time span on the command line: `90s`, `15m`, `12h` or `30d`.
struct AgeOption: ExpressibleByArgument, Sendable {
    let seconds: Int64

    init?(argument: String) {
        let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400]
        // Limit the span to a century, so that the multiplication can't overflow.
        guard let unit = argument.last.flatMap({ units[$0] }), let number = Int64(argument.dropLast()),
            (0...36_525 * 86_400).contains(number)
        else { return nil }
        seconds = min(number * unit, 36_525 * 86_400)
    }
}

/// A point in time on the command line: `2025-01-31` or `2025-01-31T12:34:56Z`.
struct DateOption: ExpressibleByArgument, Sendable {
    let timestamp: Timestamp

    init?(argument: String) {
        guard let timestamp = Timestamp(rfc3339: argument) ?? Timestamp(rfc3339: "\(argument)T00:00:00Z") else { return nil }
        self.timestamp = timestamp
    }
}

/// The device to which a receipt is bound, on the command line: the `identifierForVendor` of an app on an iPhone, or the MAC address of a
/// Mac.
enum DeviceOption: ExpressibleByArgument, Sendable {
    case identifier(UUID)
    case macAddress([UInt8])

    init?(argument: String) {
        if let uuid = UUID(uuidString: argument) {
            self = .identifier(uuid)
            return
        }
        let parts = argument.split(maxSplits: 6, whereSeparator: { $0 == ":" || $0 == "-" })
        let bytes = parts.compactMap { $0.utf8.count == 2 ? Hexadecimal.decode($0)?.first : nil }
        guard parts.count == 6, bytes.count == 6 else { return nil }
        self = .macAddress(bytes)
    }

    /// The identifier's bytes, over which the receipt's hash is computed.
    var bytes: [UInt8] {
        switch self {
        case .identifier(let uuid): withUnsafeBytes(of: uuid.uuid) { Array($0) }
        case .macAddress(let bytes): bytes
        }
    }
}

/// An environment on the command line.
enum EnvironmentOption: String, ExpressibleByArgument, CaseIterable, Sendable {
    case production, sandbox, xcode

    var environment: AppEnvironment {
        switch self {
        case .production: .production
        case .sandbox: .sandbox
        case .xcode: .xcode
        }
    }
}

/// Returns a path from the command line unless it is empty.
///
/// An empty path is an error, because an unset variable of the shell would otherwise name the current folder.
///
/// - Throws: A usage error for an empty path.
@Sendable func nonEmptyPath(_ text: String) throws -> String {
    guard !text.isEmpty else { throw ValidationError("the path is empty. Give a path, or leave an optional argument out.") }
    return text
}

/// A span of the store's time on the command line: `90s`, `15m`, `12h`, `30d`, `2w`, `1mo` or `1y`, ten years at most.
struct SpanOption: ExpressibleByArgument, Sendable {
    /// The seconds of a span of a fixed length; 0 for calendar months.
    let seconds: Int64
    /// The calendar months, by which the store's subscriptions renew; nil for a span of a fixed length.
    let months: BillingPeriod?

    init?(argument: String) {
        if argument.hasSuffix("mo") {
            guard let number = Int(argument.dropLast(2)), (1...120).contains(number), let period = BillingPeriod(number, .month) else {
                return nil
            }
            (seconds, months) = (0, period)
            return
        }
        let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 7 * 86_400, "y": 365 * 86_400]
        let limit: Int64 = 3_653 * 86_400
        guard let unit = argument.last.flatMap({ units[$0] }), let number = Int64(argument.dropLast()), (0...limit).contains(number),
            number * unit <= limit
        else { return nil }
        (seconds, months) = (number * unit, nil)
    }
}

/// The value of an option that is `on` or `off`.
enum StateOption: String, ExpressibleByArgument, CaseIterable, Sendable {
    case on, off

    var isOn: Bool { self == .on }
}

/// A scheduled change of a subscription on the command line, to which the store's time advances.
enum ScheduledChangeOption: String, ExpressibleByArgument, CaseIterable, Sendable {
    case renewal
    case graceEnd = "grace-end"
}

/// A price on the command line, in units of the currency, such as `4.99`.
struct PriceOption: ExpressibleByArgument, Sendable {
    let milliunits: Int64

    init?(argument: String) {
        guard let money = Money(decimal: argument, currency: "") else { return nil }
        milliunits = money.milliunits
    }
}
