public import ArgumentParser
import PurchaseModel
package import StoreProtocol
import Wire

/// The commands that enable, list and clear simulated faults.
struct StoreFaultCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fault",
        abstract: "Simulate failures of the store.",
        discussion: """
              tillroll store fault set lostReply --count 1
              tillroll store fault list
              tillroll store fault clear
            """,
        subcommands: [StoreFaultSetCommand.self, StoreFaultListCommand.self, StoreFaultClearCommand.self]
    )
}

/// Enables a fault of the store.
struct StoreFaultSetCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Enable a fault.",
        discussion: """
            Faults affect devices, calls of the App Store Server API, verifyReceipt and notifications, but not the control API, \
            which these commands use. The kinds of faults:

            \(FaultOption.help)

              tillroll store fault set lostReply --count 1
              tillroll store fault set status:503 --on verifyReceipt
              tillroll store fault set signing:wrongRoot --product com.example.pro
            """,
        exitCodes: .store
    )

    @Argument(help: "The kind of fault, such as lostReply or status:503; --help lists all kinds.", transform: FaultOption.parse)
    var kind: FaultOption
    @Option(name: .customLong("on"), help: "Limit the fault to requests of this protocol.") var surface: FaultSurface?
    @Option(help: "Limit the fault to request paths with this prefix.") var path: String?
    @Option(help: "Limit the fault to the app with this bundle ID.") var bundleID: String?
    @Option(help: "Limit the fault to this account.") var account: String?
    @Option(help: "Limit the fault to this product ID.") var product: String?
    @Option(help: "The number of times that the fault occurs (default: unlimited, until `clear`).") var count: Int?
    @OptionGroup(title: "Store") var options: StoreOptions

    func send(to store: StoreConnection) async throws -> EnabledFault {
        var fault = Fault(kind.kind, count: count)
        fault.surface = surface
        fault.path = path
        fault.bundleID = bundleID.map { BundleID($0) }
        fault.account = account.map { AccountID($0) }
        fault.productID = product.map { ProductID($0) }
        return try await store.call(ControlEndpoints.setFault, fault)
    }

    func lines(_ output: EnabledFault, _ style: TerminalStyle) -> [String] {
        FaultTable([output]).lines(style)
    }
}

/// Lists the enabled faults.
struct StoreFaultListCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the enabled faults.",
        discussion: """
              tillroll store fault list
            """,
        exitCodes: .store
    )

    @OptionGroup(title: "Store") var options: StoreOptions

    func send(to store: StoreConnection) async throws -> FaultsReply {
        try await store.call(ControlEndpoints.faults)
    }

    func lines(_ output: FaultsReply, _ style: TerminalStyle) -> [String] {
        FaultTable(output.faults).lines(style)
    }
}

/// Disables one fault, or all faults.
struct StoreFaultClearCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "clear",
        abstract: "Disable one fault, or all faults.",
        discussion: """
              tillroll store fault clear
              tillroll store fault clear 3
            """,
        exitCodes: .store
    )

    @Argument(help: "The fault's number in the output of `fault list` (default: all faults).") var fault: Int64?
    @OptionGroup(title: "Store") var options: StoreOptions

    func send(to store: StoreConnection) async throws -> Empty {
        guard let fault else { return try await store.call(ControlEndpoints.clearFaults) }
        let enabled = try await store.call(ControlEndpoints.faults).faults.map(\.id)
        guard enabled.contains(fault) else {
            let list = enabled.isEmpty ? "No fault is enabled." : "Enabled: \(enabled.map { "\($0)" }.joined(separator: ", "))."
            StandardError.line("Error: There is no fault \(fault). \(list)")
            throw ExitCode.refused
        }
        return try await store.call(ControlEndpoints.clearFault, ["fault": "\(fault)"])
    }

    func lines(_ output: Empty, _ style: TerminalStyle) -> [String] {
        [fault.map { "Cleared fault \($0)." } ?? "Cleared all faults."]
    }
}

/// A kind of fault on the command line: `lostReply`, `delay:500`, `status:429:60` or `signing:wrongRoot`.
struct FaultOption: ExpressibleByArgument, Sendable {
    /// The list of fault kinds for the help text.
    static let help = """
          delay:MILLISECONDS            the response is delayed
          lostReply                     the store performs a request and sends no response
          status:CODE[:RETRY-AFTER]     the response is an error with an HTTP status
          verifyReceipt:STATUS          verifyReceipt returns this status, such as 21199
          verifyReceiptOutage           verifyReceipt responds with an HTML page
          clockSkew:SECONDS             the store's dates are wrong by SECONDS
          purchaseRefused:CODE          a purchase fails with this SKError code
          notificationLost, notificationDuplicated, notificationReordered
          notificationDelayed:SECONDS   a notification is delayed
          signing:FAULT                 expiredIntermediate, expiredLeaf,
                                        revokedLeaf, leafWithoutMarker, wrongRoot,
                                        intermediateWithoutMarker, swappedChain,
                                        changedPayload, wrongKey, noX5C, algNone
        """

    /// The forms of the kinds of faults, which an error lists.
    private static let forms = [
        "delay:MILLISECONDS", "lostReply", "status:CODE", "verifyReceipt:STATUS", "verifyReceiptOutage", "clockSkew:SECONDS",
        "purchaseRefused:CODE", "notificationLost", "notificationDuplicated", "notificationReordered", "notificationDelayed:SECONDS",
        "signing:FAULT",
    ]

    let kind: FaultKind

    /// Parses a kind of fault.
    ///
    /// - Throws: An error that suggests similar kinds, or lists all kinds.
    static func parse(_ text: String) throws -> FaultOption {
        if let option = FaultOption(argument: text) { return option }
        let name = String(text.prefix { $0 != ":" })
        let nearest = Suggestions.nearest(to: name, in: forms) { String($0.prefix { $0 != ":" }) }
        let shown = TerminalText.safe(TerminalText.shortened(text, to: 60))
        throw ValidationError(
            nearest.isEmpty
                ? "There is no fault “\(shown)”. Give one of: \(forms.joined(separator: ", "))."
                : "There is no fault “\(shown)”. Did you mean \(nearest.joined(separator: " or "))?")
    }

    /// Creates an option value from a kind of fault, for output.
    init(_ kind: FaultKind) {
        self.kind = kind
    }

    /// The kind of fault in the syntax of the command line, such as `delay:500`.
    var text: String {
        switch kind {
        case .delay(let milliseconds): "delay:\(milliseconds)"
        case .lostReply: "lostReply"
        case .status(let code, let retryAfter): "status:\(code)\(retryAfter.map { ":\($0)" } ?? "")"
        case .verifyReceiptStatus(let code, _): "verifyReceipt:\(code)"
        case .verifyReceiptOutage: "verifyReceiptOutage"
        case .clockSkew(let seconds): "clockSkew:\(seconds)"
        case .purchaseRefused(let code): "purchaseRefused:\(code)"
        case .notificationLost: "notificationLost"
        case .notificationDuplicated: "notificationDuplicated"
        case .notificationReordered: "notificationReordered"
        case .notificationDelayed(let seconds): "notificationDelayed:\(seconds)"
        case .signing(let fault): "signing:\(fault)"
        }
    }

    init?(argument: String) {
        let parts = argument.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        let number = parts.count > 1 ? Int64(parts[1]) : nil
        let second = parts.count > 2 ? Int64(parts[2]) : nil
        guard parts.count < 3 || (parts.count == 3 && parts[0] == "status" && second != nil) else { return nil }
        switch (parts[0], number) {
        case ("delay", let number?): kind = .delay(milliseconds: number)
        case ("status", let number?):
            guard let code = Int(exactly: number) else { return nil }
            kind = .status(code: code, retryAfterSeconds: second)
        case ("verifyReceipt", let number?):
            guard let code = Int(exactly: number) else { return nil }
            kind = .verifyReceiptStatus(code: code, isRetryable: nil)
        case ("clockSkew", let number?): kind = .clockSkew(seconds: number)
        case ("purchaseRefused", let number?):
            guard let code = Int(exactly: number) else { return nil }
            kind = .purchaseRefused(code: code)
        case ("notificationDelayed", let number?): kind = .notificationDelayed(seconds: number)
        case ("signing", nil) where parts.count == 2: kind = .signing(fault: parts[1])
        case ("lostReply", nil) where parts.count == 1: kind = .lostReply
        case ("verifyReceiptOutage", nil) where parts.count == 1: kind = .verifyReceiptOutage
        case ("notificationLost", nil) where parts.count == 1: kind = .notificationLost
        case ("notificationDuplicated", nil) where parts.count == 1: kind = .notificationDuplicated
        case ("notificationReordered", nil) where parts.count == 1: kind = .notificationReordered
        default: return nil
        }
    }
}

extension FaultSurface: ExpressibleByArgument {}

struct FaultTable {
    private var table = TextTable(["fault", "kind", "protocol", "scope", "count"])

    init(_ faults: [EnabledFault]) {
        for entry in faults {
            let fault = entry.fault
            let place = [fault.surface?.rawValue, fault.path].compactMap { $0 }.joined(separator: " ")
            let scope = [fault.bundleID?.rawValue, fault.account?.rawValue, fault.productID?.rawValue].compactMap { $0 }
            table.add([
                "\(entry.id)", FaultOption(fault.kind).text, place, scope.joined(separator: " "),
                fault.count.map { "\($0)" } ?? "unlimited",
            ])
        }
    }

    func lines(_ style: TerminalStyle) -> [String] {
        table.isEmpty ? [style.faint("no faults")] : table.lines(style, indent: "")
    }
}
