import Foundation
import LocalAppStore
import MonkeyShop
import ProcessTestSupport
import PurchaseModel
import PurchaseProtocol
import PurchaseTestSupport
import StoreTestSupport
import Testing
import TillrollTour
import WireClient

/// A device in a real process, killed at every journal write, every file that it replaces, and every call to the store.
///
/// The list of moments is not written down: a run without a cut prints them. `make soak` adds kills at any time, again and again.
@Suite struct KillPointTests {
    /// One launch, read to its end.
    private struct Launch {
        var steps: [String] = []
        var heard: [String] = []
        var originals: Set<String> = []
        var told: Set<String> = []
        var left: Int?
        var wasKilled = false
    }

    /// A phone of its own, with an account of its own.
    private struct Phone {
        let harness: StoreHarness
        let folder: TemporaryFolder
        let account: AccountID

        init(account: AccountID? = nil, asksToBuy: Bool = false) async throws {
            harness = try await StoreHarness.shared
            folder = try TemporaryFolder()
            if let account { self.account = account } else { self.account = try await harness.openAccount(asksToBuy: asksToBuy) }
            try Data(harness.store.rootsPEM.utf8).write(to: folder.file("roots.pem"))
        }

        /// Plays a script; it is killed at a moment of its own, or from outside, when it has printed so many lines or enough of them.
        func launch(
            _ script: String, cut: String? = nil, lines: Int? = nil, until isEnough: (Launch) -> Bool = { _ in false }
        ) async throws -> Launch {
            let arguments = [harness.url.text, folder.file("roots.pem").path, folder.file("device").path, account.rawValue, script]
            let process = try LineProcess(BuiltProducts.path("DeviceProcess"), arguments + (cut.map { [$0] } ?? []))
            var launch = Launch()
            var count = 0
            for await line in process.lines {
                count += 1
                if count == lines { kill(process.pid, SIGKILL) }
                let words = line.split(separator: " ").map { String($0) }
                switch words.first {
                case "step": launch.steps.append(words.dropFirst().joined(separator: " "))
                case "heard" where words.count == 3:
                    launch.heard.append(words[1])
                    launch.originals.insert(words[2])
                case "told": launch.told.insert(words.dropFirst().joined(separator: " "))
                case "left" where words.count == 2: launch.left = Int(words[1])
                default: break
                }
                if isEnough(launch) { kill(process.pid, SIGKILL) }
            }
            launch.wasKilled = await process.end() == SIGKILL
            return launch
        }

        var charges: [String] {
            get async throws { try await harness.charges(account).map(\.transaction.rawValue) }
        }
    }

    /// From which moment on a payment is kept: its own write, or for a purchase call that of the user's confirmation.
    private static let kept = ["buy": "written queue 1", "hold": "written queue 1", "call": "written queue 2", "ask": "written queue 1"]

    @Test(arguments: ["buy", "hold", "call", "ask"])
    func `a payment is charged once, and comes until it is finished`(_ script: String) async throws {
        let dry = try await launch(script, cut: nil, on: try await Phone(asksToBuy: script == "ask"))
        #expect(!dry.wasKilled)
        #expect(dry.steps.count > 15)
        let killed = try await inTurns(dry.steps) { moment in
            let phone = try await Phone(asksToBuy: script == "ask")
            let cut = try await launch(script, cut: moment, on: phone)
            // A moment that only the timing of the first run has had is none.
            guard cut.wasKilled else { return false }
            try await expectWhole(phone, script, [cut], moment)
            return true
        }
        #expect(killed >= dry.steps.count * 9 / 10)
    }

    private func expectWhole(_ phone: Phone, _ script: String, _ cuts: [Launch], _ moment: String) async throws {
        var back = try await phone.launch("look")
        if script == "ask" {
            try await phone.harness.decide(phone.account, approve: true)
            back = try await phone.launch("look")
        }
        let charges = try await phone.charges
        let wasKept = cuts.contains { $0.steps.contains(Self.kept[script] ?? "") }
        #expect(charges.count == 1 || (charges.isEmpty && !wasKept), "\(script), \(moment): \(charges.count) charges")
        #expect(Set(cuts.flatMap(\.heard) + back.heard) == Set(charges), "\(script), \(moment)")
        // What was heard of and never finished comes again; a launch that looks finishes.
        if script == "hold", cuts.count == 1 { #expect(back.heard == charges, "\(script), \(moment)") }
        #expect(back.left == 0, "\(script), \(moment)")
        #expect(try await phone.launch("look").heard.isEmpty, "\(script), \(moment)")
    }

    private func launch(_ script: String, cut: String?, on phone: Phone) async throws -> Launch {
        try await phone.launch(script == "ask" ? "buy" : script, cut: cut)
    }

    @Test func `a restore charges nothing, and what it made comes until it is finished`() async throws {
        let owner = try await TestPhone()
        try await owner.buy(MonkeyShopProduct.sepia, MonkeyShopProduct.moonlight)
        let bought = Set(try await owner.charges.map(\.transaction.rawValue))
        let dry = try await Phone(account: owner.account).launch("restore")
        #expect(dry.originals == bought)
        let killed = try await inTurns(dry.steps) { moment in
            let phone = try await Phone(account: owner.account)
            let cut = try await phone.launch("restore", cut: moment)
            guard cut.wasKilled else { return false }
            let back = try await phone.launch("look")
            #expect(back.left == 0, "\(moment)")
            #expect(cut.originals.union(back.originals).isSubset(of: bought), "\(moment)")
            if cut.steps.contains("answered \(DeviceEndpoints.restore.template) 1") {
                #expect(cut.originals.union(back.originals) == bought, "\(moment)")
            }
            #expect(try await phone.launch("look").heard.isEmpty, "\(moment)")
            return true
        }
        #expect(killed >= dry.steps.count * 9 / 10)
        #expect(Set(try await owner.charges.map(\.transaction.rawValue)) == bought)
    }

    @Test func `what the user chose outside the app is offered through every cut, and bought once`() async throws {
        @Sendable func phone() async throws -> Phone {
            let phone = try await Phone()
            let promotion = PromotionRequest(account: phone.account, productID: MonkeyShopProduct.credits5)
            _ = try await phone.harness.control(ControlEndpoints.promote, promotion)
            return phone
        }
        let dry = try await phone().launch("promoted")
        #expect(dry.told == ["promotion"] && dry.heard.count == 1)
        let killed = try await inTurns(dry.steps) { moment in
            let phone = try await phone()
            let cut = try await phone.launch("promoted", cut: moment)
            guard cut.wasKilled else { return false }
            let back = try await phone.launch("promoted")
            let charges = try await phone.charges
            #expect(cut.told.union(back.told) == ["promotion"], "\(moment)")
            #expect(charges.count == 1, "\(moment)")
            #expect(Set(cut.heard + back.heard) == Set(charges) && back.left == 0, "\(moment)")
            #expect(try await phone.launch("promoted").told.isEmpty, "\(moment)")
            return true
        }
        #expect(killed >= dry.steps.count * 9 / 10)
    }

    @Test func `messages and intents are told through every cut`() async throws {
        @Sendable func phone() async throws -> Phone {
            let phone = try await Phone()
            let promotion = PromotionRequest(account: phone.account, productID: MonkeyShopProduct.sepia)
            _ = try await phone.harness.control(ControlEndpoints.promote, promotion)
            let subscription = BuyRequest(account: phone.account, productID: MonkeyShopProduct.magazine)
            _ = try await phone.harness.control(ControlEndpoints.buy, subscription)
            let path = ["transaction": try #require(try await phone.charges.first)]
            _ = try await phone.harness.control(ControlEndpoints.subscription, SubscriptionRequest(.raisePrice, price: 4990), path)
            return phone
        }
        let all: Set = ["intent \(MonkeyShopProduct.sepia)", "message 1"]
        let dry = try await phone().launch("listen") { $0.steps.last == "written told 2" }
        #expect(dry.told == all)
        let killed = try await inTurns(dry.steps) { moment in
            let phone = try await phone()
            let cut = try await phone.launch("listen", cut: moment) { $0.steps.last == "written told 2" }
            guard cut.wasKilled else { return false }
            let back = cut.told == all ? cut : try await phone.launch("listen") { cut.told.union($0.told) == all }
            #expect(cut.told.union(back.told) == all, "\(moment)")
            return true
        }
        #expect(killed >= dry.steps.count * 9 / 10)
    }

    private static let rounds = ProcessInfo.processInfo.environment["TILLROLL_SOAK"].flatMap { Int($0) } ?? 2

    @Test func `killed from outside at any time, one launch after the other, nothing is lost or charged twice`() async throws {
        _ = try await inTurns(0..<Self.rounds) { round in
            let script = ["buy", "hold", "call", "ask"].randomElement() ?? "buy"
            let phone = try await Phone(asksToBuy: script == "ask")
            var cuts: [Launch] = []
            for number in 0..<Int.random(in: 1...3) {
                let lines = Int.random(in: 1...30)
                cuts.append(try await phone.launch(number > 0 ? "look" : script == "ask" ? "buy" : script, lines: lines))
            }
            try await expectWhole(phone, script, cuts, "round \(round)")
            return true
        }
    }

    /// A few at a time, because each is a process; how many were killed.
    private func inTurns<Moments: Collection>(
        _ moments: Moments, _ body: @escaping @Sendable (Moments.Element) async throws -> Bool
    ) async throws -> Int where Moments.Element: Sendable {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            var killed = 0
            for (number, moment) in moments.enumerated() {
                if number >= 2, try await group.next() == true { killed += 1 }
                group.addTask {
                    // A run can miss a moment that another has: two things that go on at once are told in either order.
                    for _ in 0..<3 where try await body(moment) { return true }
                    return false
                }
            }
            for try await wasKilled in group where wasKilled { killed += 1 }
            return killed
        }
    }
}
