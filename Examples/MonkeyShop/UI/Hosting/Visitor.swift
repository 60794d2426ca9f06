import Foundation
import LocalAppStore
import MonkeyShop
import OpenStoreKit
import PurchaseKit
import PurchaseModel
import PurchaseProof
import StoreControl
import StoreKit

/// One visitor of the shop, with separate phones, a separate App Store and a separate server.
@MainActor
final class Visitor {
    /// The maximum number of phones of a visitor.
    static let phoneLimit = 4

    private let world: ShopWorld
    private(set) var phones: [any VisitorPhone] = []
    private(set) var selected = 0
    private(set) var language: PageLanguage
    /// The payments that are pending in Ask to Buy.
    private(set) var approvals: [PendingPayment] = []
    /// The refund requests that the App Store has not decided yet.
    private(set) var refundRequests: [RefundRequestDescription] = []
    private var invalidPaymentMethods: Set<AccountID> = []
    /// The error message of the last action outside of the app; nil if the action succeeded.
    private(set) var problem: String?
    /// The server's answer to the last request for the book, in sentences; empty before the first request.
    private(set) var contentAnswer: [Phrase] = []
    private(set) var now: Timestamp
    /// The identifier of the open message; nil if no message is open.
    private(set) var openMessage: Int?
    /// The steps of verifying the signed data of the open message.
    private(set) var verifications: [VerificationExplanation] = []
    private let changes = ChangeSignal()
    private var running = 0
    private(set) var hasLeft = false
    /// The visit's actions so far, for a link that repeats the visit.
    private(set) var script = VisitScript()
    let tour = GuidedTour()
    /// The number of actions that have begun.
    private(set) var begun = 0
    /// The number of actions in progress, not counting actions that open the app.
    private(set) var busy = 0

    init(_ world: ShopWorld, in language: PageLanguage) {
        (self.world, self.language) = (world, language)
        now = world.store.clock.now
        let known = VisitorRecord(in: world.folder)
        // After a restart of the process, disable the link that repeats the visit, because earlier actions are unknown.
        if known != nil { script = .unknown }
        let record =
            known
            ?? VisitorRecord(
                phones: [ShopWorld.Person.jane.account], selected: 0, language: language.rawValue)
        self.language = PageLanguage(rawValue: record.language) ?? language
        for account in record.phones { add(.with(account)) }
        selected = phones.indices.contains(record.selected) ? record.selected : 0
        save()
    }

    /// Whether the payment method of the selected phone's owner is valid.
    var hasValidPaymentMethod: Bool { !invalidPaymentMethods.contains(phone.person.account) }

    var phone: any VisitorPhone { phones[selected] }

    func report(of phone: any VisitorPhone) -> PhoneReport { phone.report(at: now, in: language) }

    var messages: Messages { world.messages }

    /// A sequence with an element for the current contents of the page, and for each change of the contents.
    nonisolated var updates: AsyncStream<Void> { changes.stream() }

    private func addPhone(_ person: ShopWorld.Person) {
        add(person)
        save()
    }

    private func add(_ person: ShopWorld.Person) {
        guard phones.count < Self.phoneLimit else { return }
        let count = phones.count { $0.person == person }
        let title: Phrase = count == 0 ? "\(person.name)’s phone" : "\(person.name)’s phone \(count + 1)"
        let environment = world.environment(of: "phone-\(phones.count + 1)", person)
        let phone = ShopPhone(environment, title: title) { [changes] in changes.send() }
        if let executable = world.appExecutable {
            phones.append(ProcessPhone(executable, closed: phone, in: language) { [changes] in changes.send() })
        } else {
            phones.append(phone)
        }
        selected = phones.count - 1
    }

    /// Opens the app on all phones, including the phones of an earlier run, and returns when all apps are closed.
    func resume() async {
        if language != .english { try? await world.setStorefront(language.storefront) }
        let accounts = try? await world.control.accounts()
        invalidPaymentMethods = Set(accounts?.filter { !$0.hasValidPaymentMethod }.map(\.account) ?? [])
        await withDiscardingTaskGroup { group in
            for phone in phones { group.addTask { await self.run(phone) } }
            group.addTask { await self.readDecisions() }
        }
    }

    /// Runs the app on a phone until the app is closed; does nothing if the visitor has left.
    private func run(_ phone: any VisitorPhone, resetsVault: Bool = false, importing export: Data? = nil) async {
        guard !hasLeft else { return }
        await phone.run(resetsVault: resetsVault, importing: export)
    }

    /// Stores the phones, the selection and the language for the next start of the program.
    ///
    /// If the write fails, the next start restores the last stored state.
    private func save() {
        try? VisitorRecord(phones: phones.map(\.person.account), selected: selected, language: language.rawValue).save(in: world.folder)
    }

    /// Ends the visit, and closes the app on all phones.
    func leave() async {
        hasLeft = true
        for phone in phones { await phone.close() }
        changes.finish()
    }

    /// Shows the first stop of the guided tour.
    func beginTour() {
        tour.begin()
        changes.send()
    }

    /// Carries out a visitor's action, and records `fields`, the form's fields, in the visit's script.
    ///
    /// The method ignores the action if `limit` actions are in progress. The limit does not apply to answers to sheets and to tour actions,
    /// and a tour action is not recorded.
    func perform(_ action: ShopAction, _ fields: [String: String], limit: Int) async {
        switch action {
        case .tour(let stop):
            tour.move(to: stop)
            changes.send()
            return
        case .showStop: return await tour.show(on: self)
        // Stop the script when the visitor sends an action.
        default: tour.interrupt()
        }
        await perform(action, limit: limit) { script.record(fields) { transaction in product(of: transaction) } }
    }

    private func product(of transaction: TransactionID) -> ProductID? {
        phones.lazy.compactMap { $0.report(at: self.now, in: self.language).purchases[transaction.rawValue] }.first
    }

    /// Records an action of a script, which contains no transaction identifier.
    func record(_ fields: [String: String]) { script.record(fields) { _ in nil } }

    /// Notifies the readers of ``updates`` of a change.
    func change() { changes.send() }

    /// Carries out an action; ignores an action other than an answer to a sheet if `limit` actions are in progress.
    ///
    /// - Parameter accepted: Called before the action is carried out, unless the action is ignored.
    func perform(_ action: ShopAction, limit: Int, accepted: () -> Void = {}) async {
        // Do not limit the answer of a sheet, because an action in progress waits for the answer.
        if case .answer = action {
            accepted()
            return await perform(action)
        }
        guard running < limit else { return }
        accepted()
        running += 1
        await perform(action)
        running -= 1
    }

    /// Carries out an action, and returns when its effects have ended; an action that opens the app ends when the app is closed.
    func perform(_ action: ShopAction) async {
        problem = nil
        begun += 1
        busy += action.launches ? 0 : 1
        defer {
            busy -= action.launches ? 0 : 1
            changes.send()
        }
        let phone = phone
        do {
            switch action {
            case .tap(let tap): await phone.perform(.tap(tap))
            case .answer(let sheet, let answer): await phone.perform(.answer(sheet: sheet, answer))
            case .kill: await phone.close()
            case .open(let resetsVault):
                if !report(of: phone).isRunning { await run(phone, resetsVault: resetsVault) }
            case .setNetwork(let isOn): await phone.perform(.setNetwork(isOn))
            case .setSpeed(let isFast): await phone.perform(.setSpeed(isFast: isFast))
            case .setRestricted(let isOn): await phone.perform(.setRestricted(isOn))
            case .setPaymentMethod(let isValid):
                try await world.control.setPaymentMethod(isValid: isValid, of: phone.person.account)
                if isValid {
                    invalidPaymentMethods.remove(phone.person.account)
                } else {
                    invalidPaymentMethods.insert(phone.person.account)
                }
            case .advance(let days):
                try await world.control.advance(days: days)
                try await world.store.deliverNotifications()
                for phone in phones { await phone.perform(.refresh) }
            case .setLanguage(let language): try await change(to: language)
            case .tour, .showStop: break
            case .openMessage(let id):
                openMessage = openMessage == id ? nil : id
                let message = openMessage.flatMap { messages.message($0) }
                verifications = await world.explain(ReadableJSON.signed(message?.request) + ReadableJSON.signed(message?.response))
            case .selectPhone(let index):
                if phones.indices.contains(index) { selected = index }
                save()
            case .addPhone, .addChild:
                guard phones.count < Self.phoneLimit else { break }
                addPhone(action == .addChild ? .sam : .jane)
                changes.send()
                await run(self.phone)
            case .erase: try await reopen(phone) { try $0.erase() }
            case .reinstall: try await reopen(phone) { try $0.reinstall() }
            case .backUp: try await reopen(phone) { try $0.backUp() }
            case .restoreBackup: if phone.files.hasBackup { try await reopen(phone) { try $0.restore() } }
            case .restoreBackupOnNewPhone(let isEncrypted):
                guard phones.count < Self.phoneLimit, phone.files.hasBackup else { break }
                addPhone(phone.person)
                try self.phone.files.restore(from: phone.files, isEncrypted: isEncrypted)
                changes.send()
                await run(self.phone)
            case .editVault: try await reopen(phone) { try $0.editVault() }
            case .moveToNewPhone:
                guard phones.count < Self.phoneLimit, let export = await phone.perform(.export) else { break }
                addPhone(phone.person)
                changes.send()
                await run(self.phone, importing: export)
            case .decideRefund(let id, let approve):
                try await world.control.decideRefundRequest(id, approve: approve)
                try await world.store.deliverNotifications()
                for phone in phones { await phone.perform(.refresh) }
            case .refundLatest:
                if try await world.refundLatestPurchase(of: phone.person.account) {
                    try await world.store.deliverNotifications()
                    for phone in phones { await phone.perform(.refresh) }
                } else {
                    problem = language("\(phone.person.name) has no purchase that can be refunded.")
                }
            case .sellWinterHat:
                try await world.sellWinterHat()
                for phone in phones { await phone.perform(.loadProducts) }
            case .requestContent(let proof): contentAnswer = try await world.requestContent(with: proof, from: phone.environment)
            case .decide(let payment, let approve):
                guard let payment = approvals.first(where: { "\($0.payment)" == payment })?.payment else { break }
                if approve { try await world.control.approve(payment) } else { try await world.control.decline(payment) }
                for phone in phones { await phone.perform(.refresh) }
            }
        } catch {
            problem = "\(error)"
        }
        await readDecisions()
        try? await world.store.deliverNotifications()
        await world.recordNotifications()
        changes.send()
    }

    /// Reads the pending payments of Ask to Buy, the pending refund requests and the time from the store.
    private func readDecisions() async {
        approvals = (try? await world.control.approvals()) ?? approvals
        let requests = try? await world.control.refundRequests()
        refundRequests = requests?.filter { $0.state == "pending" } ?? refundRequests
        now = world.store.clock.now
        changes.send()
    }

    /// Changes the language of the page and of the apps, and the storefront.
    private func change(to language: PageLanguage) async throws {
        self.language = language
        save()
        changes.send()
        try await world.setStorefront(language.storefront)
        for phone in phones {
            await phone.perform(.setLanguage(language))
        }
    }

    /// Closes the app, changes the phone's files, and opens the app again.
    private func reopen(_ phone: any VisitorPhone, _ change: (PhoneFiles) throws -> Void) async throws {
        await phone.close()
        try change(phone.files)
        await run(phone)
    }
}
