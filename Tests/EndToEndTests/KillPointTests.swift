import Crypto
import Foundation
import ProcessTestSupport
import PurchaseModel
import PurchaseTestSupport
import StoreProtocol
import StoreTestSupport
import Testing
import Wire

/// Tests that kill the process of a device at every journal write, every replaced file and every call to the store.
///
/// A run without a kill prints the list of kill points. `make soak` uses all of them and adds repeated kills at random times; `make test`
/// uses every third, and PowerCutTests cut the power of a device in the process of the tests at every write.
@Suite struct KillPointTests {
    /// The output of one app session.
    fileprivate struct Launch {
        var steps: [String] = []
        var delivered: [String] = []
        var originals: Set<String> = []
        var received: Set<String> = []
        var unfinished: Int?
        /// The number of printed lines.
        var lines = 0
        var wasKilled = false
    }

    /// `make test` uses one of this number of kill points.
    private static let stride = 3

    /// The step of each script after which the journal has the payment.
    ///
    /// For a StoreKit 2 purchase, the journal also has the user's confirmation at this step.
    private static let kept = [
        "buy": "written queue 1", "leaveUnfinished": "written queue 1", "buyWithStoreKit2": "written queue 2",
        "askToBuy": "written queue 1",
    ]

    @Test(arguments: ["buy", "leaveUnfinished", "buyWithStoreKit2", "askToBuy"])
    func `a payment is charged once and stays unfinished until the app finishes it`(_ script: String) async throws {
        try await killAtEachStep {
            let uncut = try await launch(script, cut: nil, on: try await Phone(askToBuyEnabled: script == "askToBuy"))
            #expect(!uncut.wasKilled && uncut.steps.count > 15)
            return uncut.steps
        } _: { killPoint in
            let phone = try await Phone(askToBuyEnabled: script == "askToBuy")
            let cut = try await launch(script, cut: killPoint, on: phone)
            // Some kill points occur only with the timing of the first run.
            guard cut.wasKilled else { return false }
            try await expectConsistent(phone, script, [cut], killPoint)
            return true
        }
    }

    private func expectConsistent(_ phone: Phone, _ script: String, _ cuts: [Launch], _ killPoint: String) async throws {
        var relaunched = try await phone.launch("finishUnfinished")
        if script == "askToBuy" {
            try await phone.decideApprovals(approve: true)
            relaunched = try await phone.launch("finishUnfinished")
        }
        let charges = try await phone.chargedTransactions
        let wasKept = cuts.contains { $0.steps.contains(Self.kept[script] ?? "") }
        #expect(charges.count == 1 || (charges.isEmpty && !wasKept), "\(script), \(killPoint): \(charges.count) charges")
        #expect(Set(cuts.flatMap(\.delivered) + relaunched.delivered) == Set(charges), "\(script), \(killPoint)")
        // A delivered and unfinished transaction is delivered again, and the relaunch finishes it.
        if script == "leaveUnfinished", cuts.count == 1 { #expect(relaunched.delivered == charges, "\(script), \(killPoint)") }
        #expect(relaunched.unfinished == 0, "\(script), \(killPoint)")
        #expect(try await phone.launch("finishUnfinished").delivered.isEmpty, "\(script), \(killPoint)")
    }

    private func launch(_ script: String, cut: String?, on phone: Phone) async throws -> Launch {
        try await phone.launch(script == "askToBuy" ? "buy" : script, cut: cut)
    }

    @Test func `a restore charges nothing, and its transactions stay unfinished until the app finishes them`() async throws {
        let owner = try await Phone()
        try await owner.buy(SampleProduct.sepia, SampleProduct.moonlight)
        let bought = Set(try await owner.chargedTransactions)
        try await killAtEachStep {
            let uncut = try await Phone(account: owner.account).launch("restore")
            #expect(uncut.originals == bought)
            return uncut.steps
        } _: { killPoint in
            let phone = try await Phone(account: owner.account)
            let cut = try await phone.launch("restore", cut: killPoint)
            guard cut.wasKilled else { return false }
            let relaunched = try await phone.launch("finishUnfinished")
            #expect(relaunched.unfinished == 0, "\(killPoint)")
            #expect(cut.originals.union(relaunched.originals).isSubset(of: bought), "\(killPoint)")
            if cut.steps.contains("answered \(DeviceEndpoints.restore.template) 1") {
                #expect(cut.originals.union(relaunched.originals) == bought, "\(killPoint)")
            }
            #expect(try await phone.launch("finishUnfinished").delivered.isEmpty, "\(killPoint)")
            return true
        }
        #expect(Set(try await owner.chargedTransactions) == bought)
    }

    @Test func `a promoted purchase survives every kill and is bought once`() async throws {
        @Sendable func phone() async throws -> Phone {
            let phone = try await Phone()
            try await phone.harness.promote(SampleProduct.credits5, to: phone.account)
            return phone
        }
        try await killAtEachStep {
            let uncut = try await phone().launch("promoted")
            #expect(uncut.received == ["promotion"] && uncut.delivered.count == 1)
            return uncut.steps
        } _: { killPoint in
            let phone = try await phone()
            let cut = try await phone.launch("promoted", cut: killPoint)
            guard cut.wasKilled else { return false }
            let relaunched = try await phone.launch("promoted")
            let charges = try await phone.chargedTransactions
            #expect(cut.received.union(relaunched.received) == ["promotion"], "\(killPoint)")
            #expect(charges.count == 1, "\(killPoint)")
            #expect(Set(cut.delivered + relaunched.delivered) == Set(charges) && relaunched.unfinished == 0, "\(killPoint)")
            #expect(try await phone.launch("promoted").received.isEmpty, "\(killPoint)")
            return true
        }
    }

    @Test func `messages and purchase intents survive every kill`() async throws {
        @Sendable func phone() async throws -> Phone {
            let phone = try await Phone()
            try await phone.harness.promote(SampleProduct.sepia, to: phone.account)
            try await phone.harness.buy(SampleProduct.magazine, for: phone.account)
            let magazine = try #require(try await phone.charges.first).transactionID
            try await phone.harness.perform(SubscriptionRequest(.increasePriceWithConsent, price: 4990), on: magazine)
            return phone
        }
        let all: Set = ["intent \(SampleProduct.sepia)", "message 1"]
        try await killAtEachStep {
            let uncut = try await phone().launch("listen") { $0.steps.last == "written acknowledgments 2" }
            #expect(uncut.received == all)
            return uncut.steps
        } _: { killPoint in
            let phone = try await phone()
            let cut = try await phone.launch("listen", cut: killPoint) { $0.steps.last == "written acknowledgments 2" }
            guard cut.wasKilled else { return false }
            let relaunched = cut.received == all ? cut : try await phone.launch("listen") { cut.received.union($0.received) == all }
            #expect(cut.received.union(relaunched.received) == all, "\(killPoint)")
            return true
        }
    }

    private static let offerCodeStore = Task { try await OfferCodeStore.start() }

    @Test func `an offer code is redeemed once, whenever the process is killed`() async throws {
        let store = try await Self.offerCodeStore.value
        try await redeemOrChange("redeem", [SampleProduct.magazine]) { try await Phone(at: store) }
    }

    @Test func `a change of plan is charged once, whenever the process is killed`() async throws {
        let store = try await Self.offerCodeStore.value
        try await redeemOrChange("changePlan", [SampleProduct.magazine, OfferCodeStore.gold]) {
            let phone = try await Phone(at: store)
            try await store.buy(SampleProduct.magazine, for: phone.account)
            return phone
        }
    }

    /// Kills a script at each kill point, repeats the request unless the store's answer was processed, and expects one charge of each
    /// product.
    private func redeemOrChange(
        _ script: String, _ products: Set<ProductID>, on makePhone: @escaping @Sendable () async throws -> Phone
    ) async throws {
        // The second write of an idempotency key deletes the key, because the store has answered.
        let processed = "written idempotencyKeys 2"
        try await killAtEachStep {
            let uncut = try await makePhone().launch(script)
            #expect(!uncut.wasKilled && uncut.steps.contains(processed) && uncut.unfinished == 0)
            return uncut.steps
        } _: { killPoint in
            let phone = try await makePhone()
            let cut = try await phone.launch(script, cut: killPoint)
            guard cut.wasKilled else { return false }
            // The app finishes what it receives before the user repeats the request, so that the store can't answer with an unfinished
            // transaction of the same product.
            let first = try await phone.launch("finishUnfinished")
            let relaunched = cut.steps.contains(processed) ? first : try await phone.launch(script)
            // An upgrade refunds a part of the previous price.
            let charges = try await phone.charges.filter { $0.amount.milliunits > 0 }
            #expect(charges.count == products.count && Set(charges.map(\.productID)) == products, "\(script), \(killPoint)")
            let delivered = Set(cut.delivered + first.delivered + relaunched.delivered)
            #expect(delivered == Set(charges.map(\.transactionID.rawValue)), "\(script), \(killPoint)")
            #expect(relaunched.unfinished == 0, "\(script), \(killPoint)")
            return true
        }
    }

    @Test func `a transaction is delivered to its own account only, whenever the process is killed during a sign-in`() async throws {
        /// A phone on which one account has an unfinished transaction; another account has one that was bought elsewhere.
        @Sendable func phones() async throws -> (phone: Phone, first: [String], other: AccountID, second: [String]) {
            let phone = try await Phone()
            _ = try await phone.launch("leaveUnfinished")
            let other = try await phone.harness.createAccount()
            try await phone.harness.buy(SampleProduct.credits5, for: other)
            let second = try await phone.harness.charges(of: other).map(\.transactionID.rawValue)
            return (phone, try await phone.chargedTransactions, other, second)
        }
        try await killAtEachStep {
            let (phone, first, other, second) = try await phones()
            let uncut = try await phone.launch("changeAccount", as: other)
            #expect(first.count == 1 && uncut.delivered == second && uncut.unfinished == 0)
            return uncut.steps
        } _: { killPoint in
            let (phone, first, other, second) = try await phones()
            let cut = try await phone.launch("changeAccount", as: other, cut: killPoint)
            guard cut.wasKilled else { return false }
            let relaunched = try await phone.launch("changeAccount", as: other)
            #expect(Set(cut.delivered + relaunched.delivered) == Set(second), "\(killPoint)")
            let returned = try await phone.launch("changeAccount")
            #expect(returned.delivered == first && returned.unfinished == 0, "\(killPoint)")
            return true
        }
    }

    @Test func `content is delivered whole and once paid, whenever the process is killed during a download`() async throws {
        let store = try await OfferCodeStore.start()
        let content = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 / 7) })
        let path = Endpoint<Empty, Empty>(.get, HostEndpoints.contentPath)
            .path(["bundle": BundleID.test.rawValue, "product": SampleProduct.book.rawValue])
        try await store.upload(content, path)
        let expected: Set = ["content \(SHA256.hash(data: content).map { "\($0)" }.joined(separator: "."))"]
        /// Continues a download after a kill, and expects the whole content.
        @Sendable func expectContent(on phone: Phone, after cut: Launch, _ killPoint: String) async throws {
            let relaunched = try await phone.launch("continueDownload")
            let charges = try await phone.chargedTransactions
            let wasKept = cut.steps.contains("written queue 1")
            #expect(charges.count == 1 || (charges.isEmpty && !wasKept), "\(killPoint)")
            #expect(cut.received.union(relaunched.received) == (charges.isEmpty ? [] : expected), "\(killPoint)")
            #expect(relaunched.unfinished == 0, "\(killPoint)")
        }
        try await killAtEachStep {
            let uncut = try await Phone(at: store).launch("download")
            #expect(uncut.received == expected && uncut.unfinished == 0)
            #expect(uncut.steps.contains("replaced content 1") && uncut.steps.contains("replaced downloads.json 1"))
            return uncut.steps
        } _: { killPoint in
            let phone = try await Phone(at: store)
            let cut = try await phone.launch("download", cut: killPoint)
            guard cut.wasKilled else { return false }
            try await expectContent(on: phone, after: cut, killPoint)
            return true
        }
        // Between these steps, the content is received: most of the lines report the progress of the download.
        let uncut = try await Phone(at: store).launch("download")
        #expect(uncut.lines > uncut.steps.count + 3)
        let lines = KillRuns.sample(Array(1...uncut.lines), every: Self.stride)
        let killed = try await KillRuns.kills(at: lines) { line in
            let phone = try await Phone(at: store)
            let cut = try await phone.launch("download", lines: line)
            guard cut.wasKilled else { return false }
            try await expectContent(on: phone, after: cut, "line \(line)")
            return true
        }
        #expect(killed.count >= lines.count / 2)
    }

    @Test func `kills at random times lose no payment and charge none twice`() async throws {
        print("random kills: TILLROLL_SEED=\(KillRuns.seed)")
        let rounds = KillRuns.rounds ?? 2
        let killed = try await KillRuns.kills(at: Array(0..<rounds)) { round in
            var random = SeededRandom(seed: KillRuns.seed &+ UInt64(round))
            let script = ["buy", "leaveUnfinished", "buyWithStoreKit2", "askToBuy"].randomElement(using: &random) ?? "buy"
            let phone = try await Phone(askToBuyEnabled: script == "askToBuy")
            var cuts: [Launch] = []
            for number in 0..<Int.random(in: 1...3, using: &random) {
                let lines = Int.random(in: 1...30, using: &random)
                cuts.append(try await phone.launch(number > 0 ? "finishUnfinished" : script == "askToBuy" ? "buy" : script, lines: lines))
            }
            try await expectConsistent(phone, script, cuts, "TILLROLL_SEED=\(KillRuns.seed), round \(round)")
            return cuts.contains(where: \.wasKilled)
        }
        #expect(killed.count >= rounds * 9 / 10, "TILLROLL_SEED=\(KillRuns.seed)")
    }

    /// Runs `body` for each step of a script, and expects that it killed the process at nearly all of them.
    ///
    /// - Parameter uncut: Runs the script without a kill, and returns its steps. Timing adds steps to some runs, such as another call to a
    ///   busy store. Only the steps of all of three runs are expected to kill, and no repeated calls, whose number depends on timing.
    private func killAtEachStep(
        _ uncut: @Sendable () async throws -> [String], _ body: @escaping @Sendable (_ killPoint: String) async throws -> Bool
    ) async throws {
        let runs = [Set(try await uncut()), Set(try await uncut()), Set(try await uncut())]
        let common = runs[0].intersection(runs[1]).intersection(runs[2])
        let sample = KillRuns.sample(runs[0].union(runs[1]).union(runs[2]).sorted(), every: Self.stride)
        let killed = try await KillRuns.kills(at: sample, body)
        let expected = common.intersection(sample).filter { !Self.isRepeatedCall($0) }
        let missed = expected.subtracting(killed)
        #expect(missed.count <= max(1, expected.count / 10), "TILLROLL_SEED=\(KillRuns.seed), no process was killed at: \(missed.sorted())")
    }

    /// Returns whether a step is the second or a later call of the same path, such as `sending /device/v1/history 3`.
    private static func isRepeatedCall(_ step: String) -> Bool {
        let words = step.split(separator: " ")
        return ["sending", "answered"].contains(words.first) && (words.last.flatMap { Int($0) } ?? 1) > 1
    }
}

/// A phone whose app runs in another process, which a test can kill.
extension Phone {
    /// Runs a script in a new process.
    ///
    /// - Parameters:
    ///   - cut: The step at which the process kills itself.
    ///   - lines: The number of printed lines after which the process is killed.
    ///   - isEnough: Whether the process is killed after the output so far.
    fileprivate func launch(
        _ script: String, as account: AccountID? = nil, cut: String? = nil, lines: Int? = nil,
        until isEnough: (KillPointTests.Launch) -> Bool = { _ in false }
    ) async throws -> KillPointTests.Launch {
        let account = account ?? self.account
        let arguments = [harness.url.text, try writeRoots(), folder.file("device").path, account.rawValue, script]
        let process = try LineProcess(BuiltProducts.path("DeviceProcess"), arguments + (cut.map { [$0] } ?? []))
        var launch = KillPointTests.Launch()
        for await line in process.lines {
            launch.lines += 1
            if launch.lines == lines { kill(process.pid, SIGKILL) }
            let words = line.split(separator: " ").map { String($0) }
            switch words.first {
            case "step": launch.steps.append(words.dropFirst().joined(separator: " "))
            case "delivered" where words.count == 3:
                launch.delivered.append(words[1])
                launch.originals.insert(words[2])
            case "received": launch.received.insert(words.dropFirst().joined(separator: " "))
            case "unfinished" where words.count == 2: launch.unfinished = Int(words[1])
            default: break
            }
            if isEnough(launch) { kill(process.pid, SIGKILL) }
        }
        launch.wasKilled = await process.end() == SIGKILL
        return launch
    }

    /// The charged transactions of the account, oldest first.
    fileprivate var chargedTransactions: [String] {
        get async throws { try await charges.map(\.transactionID.rawValue) }
    }
}
