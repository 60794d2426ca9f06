import PurchaseModel

extension SimulationStep: CustomStringConvertible {
    /// The step as a line of a script.
    var description: String {
        switch self {
        case .device(let device, let kind, let account): "device \(device) \(kind.rawValue) \(account)"
        case .policy(let policy): "policy \(policy.rawValue)"
        case .buy(let device, let item, let quantity): "buy \(device) \(item.rawValue) \(quantity)"
        case .restore(let device): "restore \(device)"
        case .debit(let device, let amount): "debit \(device) \(amount)"
        case .wake(let device): "wake \(device)"
        case .relaunch(let device): "relaunch \(device)"
        case .autoRenew(let account, let isOn): "auto-renew \(account) \(Self.text(isOn))"
        case .paymentMethod(let account, let isValid): "payment-method \(account) \(Self.text(isValid))"
        case .askToBuy(let account, let isOn): "ask-to-buy \(account) \(Self.text(isOn))"
        case .decide(let approves): "decide \(Self.text(approves))"
        case .buyInStore(let account, let item): "buy-in-store \(account) \(item.rawValue)"
        case .refund(let charge, let percent): "refund \(charge) \(percent)"
        case .reverseRefund(let charge): "reverse-refund \(charge)"
        case .extend(let account, let days): "extend \(account) \(days)"
        case .wait(let hours): "wait \(hours)"
        case .reconcile: "reconcile"
        case .buySeats(let device, let item, let seats): "buy-seats \(device) \(item.rawValue) \(seats)"
        case .renewalSeats(let account, let item, let seats): "renewal-seats \(account) \(item.rawValue) \(seats)"
        case .refundSeats(let charge, let seats): "refund-seats \(charge) \(seats)"
        case .join(let owner, let member): "join \(owner) \(member)"
        case .leave(let owner, let member): "leave \(owner) \(member)"
        case .claimSeat(let owner, let member): "claim-seat \(owner) \(member)"
        case .releaseSeat(let owner, let member): "release-seat \(owner) \(member)"
        case .unclaimSeat(let owner): "unclaim-seat \(owner)"
        case .restart(let party): "restart \(Self.text(party))"
        case .crash(let party, let after, let isKept): "crash \(Self.text(party)) \(after) \(isKept ? "kept" : "lost")"
        case .fullDisk(let party, let writes): "full-disk \(Self.text(party)) \(writes)"
        case .fault(let fault, let link, let after): "\(fault.rawValue) \(Self.text(link)) \(after)"
        case .offline(let link, let isOffline): "offline \(Self.text(link)) \(Self.text(isOffline))"
        }
    }

    private static func text(_ value: Bool) -> String { value ? "yes" : "no" }

    private static func text(_ party: Party) -> String {
        switch party {
        case .store: "store"
        case .server: "server"
        case .device(let device): "device\(device)"
        }
    }

    private static func text(_ link: SimulatedNetwork.Link) -> String {
        switch link {
        case .store(let device): "device\(device)-store"
        case .server(let device): "device\(device)-server"
        case .notifications: "notifications"
        case .serverAPI: "server-api"
        }
    }

    /// The error of a line that is not a step.
    struct InvalidLine: Error, CustomStringConvertible {
        let line: String

        var description: String { "\"\(line)\" is not a step of a simulation. SimulationStep lists the steps." }
    }

    /// Reads a line of a script.
    init(line: String) throws(InvalidLine) {
        var words = Words(line)
        self = try Self.step(&words)
        guard words.isEmpty else { throw InvalidLine(line: line) }
    }

    private static func step(_ words: inout Words) throws(InvalidLine) -> SimulationStep {
        switch try words.next() {
        case "device": .device(try words.number(), try words.value(), account: try words.number())
        case "policy": .policy(try words.value())
        case "buy": .buy(device: try words.number(), try words.value(), quantity: try words.number())
        case "restore": .restore(device: try words.number())
        case "debit": .debit(device: try words.number(), amount: try words.number())
        case "wake": .wake(device: try words.number())
        case "relaunch": .relaunch(device: try words.number())
        case "auto-renew": .autoRenew(account: try words.number(), try words.bool())
        case "payment-method": .paymentMethod(account: try words.number(), isValid: try words.bool())
        case "ask-to-buy": .askToBuy(account: try words.number(), try words.bool())
        case "decide": .decide(approves: try words.bool())
        case "buy-in-store": .buyInStore(account: try words.number(), try words.value())
        case "refund": .refund(charge: try words.number(), percent: try words.number())
        case "reverse-refund": .reverseRefund(charge: try words.number())
        case "extend": .extend(account: try words.number(), days: try words.number())
        case "wait": .wait(hours: try words.number())
        case "reconcile": .reconcile
        case "buy-seats": .buySeats(device: try words.number(), try words.value(), seats: try words.number())
        case "renewal-seats": .renewalSeats(account: try words.number(), try words.value(), seats: try words.number())
        case "refund-seats": .refundSeats(charge: try words.number(), seats: try words.number())
        case "join": .join(owner: try words.number(), member: try words.number())
        case "leave": .leave(owner: try words.number(), member: try words.number())
        case "claim-seat": .claimSeat(owner: try words.number(), member: try words.number())
        case "release-seat": .releaseSeat(owner: try words.number(), member: try words.number())
        case "unclaim-seat": .unclaimSeat(owner: try words.number())
        case "restart": .restart(try words.party())
        case "crash": .crash(try words.party(), after: try words.number(), isKept: try words.next() == "kept")
        case "full-disk": .fullDisk(try words.party(), writes: try words.number())
        case "offline": .offline(try words.link(), try words.bool())
        case let word: .fault(try words.value(of: word), try words.link(), after: try words.number())
        }
    }

    /// The words of a line.
    private struct Words {
        private let line: String
        private var rest: [String]

        init(_ line: String) {
            self.line = line
            rest = line.split(separator: " ").map { String($0) }
        }

        var isEmpty: Bool { rest.isEmpty }

        mutating func next() throws(InvalidLine) -> String {
            guard !rest.isEmpty else { throw InvalidLine(line: line) }
            return rest.removeFirst()
        }

        mutating func number() throws(InvalidLine) -> Int {
            guard let number = Int(try next()), (0...1_000_000).contains(number) else { throw InvalidLine(line: line) }
            return number
        }

        mutating func bool() throws(InvalidLine) -> Bool {
            switch try next() {
            case "yes": true
            case "no": false
            default: throw InvalidLine(line: line)
            }
        }

        mutating func value<Value: RawRepresentable<String>>() throws(InvalidLine) -> Value { try value(of: try next()) }

        func value<Value: RawRepresentable<String>>(of word: String) throws(InvalidLine) -> Value {
            guard let value = Value(rawValue: word) else { throw InvalidLine(line: line) }
            return value
        }

        mutating func party() throws(InvalidLine) -> Party {
            switch try next() {
            case "store": .store
            case "server": .server
            case let word: .device(try device(word[...]))
            }
        }

        mutating func link() throws(InvalidLine) -> SimulatedNetwork.Link {
            switch try next() {
            case "notifications": return .notifications
            case "server-api": return .serverAPI
            case let word where word.hasSuffix("-store"): return .store(device: try device(word.dropLast(6)))
            case let word where word.hasSuffix("-server"): return .server(device: try device(word.dropLast(7)))
            default: throw InvalidLine(line: line)
            }
        }

        private func device(_ word: Substring) throws(InvalidLine) -> Int {
            guard word.hasPrefix("device"), let number = Int(word.dropFirst(6)) else { throw InvalidLine(line: line) }
            return number
        }
    }
}
