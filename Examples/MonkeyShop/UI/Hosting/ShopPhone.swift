import Foundation
import MonkeyShop
import MonkeyShopBackend
import OpenStoreKit
import PurchaseKit
import PurchaseModel
import StoreKit

/// A phone of a visitor, whose app runs in this process or in a separate process.
@MainActor
protocol VisitorPhone: AnyObject, Sendable {
    var title: Phrase { get }
    var environment: PhoneEnvironment { get }
    /// The number of completed launches, including failed launches.
    var launches: Int { get }
    /// Returns the phone's report at a date, in a language.
    func report(at now: Timestamp, in language: PageLanguage) -> PhoneReport
    /// Launches the app, and returns when the app is closed.
    ///
    /// - Parameters:
    ///   - resetsVault: Whether the contents of the vault are discarded.
    ///   - export: The exported purchases of another phone, which the app adds; nil for none.
    func run(resetsVault: Bool, importing export: Data?) async
    /// Ends the app session, as the system does to free memory; unfinished transactions continue at the next launch.
    func close() async
    /// Carries out a command, and returns the export for ``PhoneCommand/export``, otherwise nil.
    @discardableResult
    func perform(_ command: PhoneCommand) async -> Data?
}

extension VisitorPhone {
    var person: ShopWorld.Person { environment.person }

    var files: PhoneFiles { PhoneFiles(folder: environment.folder) }
}

/// A phone whose app runs in this process, with the state of its screen.
@MainActor
final class ShopPhone: VisitorPhone {
    /// The screens of the app, in the order of the tab bar.
    enum Screen: String, Codable, CaseIterable {
        case shop, filters, books, magazine, settings
    }

    /// A photo filter; the style sheet has a class for each raw value, such as `filter-sepia`.
    enum Filter: String {
        case none, sepia, moonlight

        var product: ProductID? {
            switch self {
            case .none: nil
            case .sepia: MonkeyShopProduct.sepia
            case .moonlight: MonkeyShopProduct.moonlight
            }
        }
    }

    let title: Phrase
    let environment: PhoneEnvironment
    private let changed: @Sendable () -> Void

    let speed = NetworkSpeed()
    /// The running app; nil while the app is closed.
    private(set) var app: LaunchedApp?
    private(set) var interface: PageInterface
    /// The error of the last launch; nil if the launch succeeded.
    private(set) var launchError: MonkeyShopError?
    var screen = Screen.shop
    /// The notice that the app shows after an action.
    var notice: [Phrase] = []
    var filter = Filter.none
    var picture = 0
    /// The open book; nil if no book is open.
    private(set) var reader: BookReader?
    /// The products whose payments wait for the network.
    private var queued: Set<ProductID> = []
    /// The number of calls that launch or close the app; a launch stops when a later call changes the number.
    private var changes = 0
    private(set) var launches = 0
    /// Whether the app is closed and no launch has begun.
    private(set) var isClosed = false

    init(_ environment: PhoneEnvironment, title: Phrase, changed: @escaping @Sendable () -> Void) {
        (self.environment, self.title) = (environment, title)
        self.changed = changed
        interface = PageInterface(changed: changed)
    }

    /// The receipt on the screen; nil if the screen shows no receipt.
    private(set) var receipt: AppReceipt?
    /// The passphrase of the exports; in a real app, the user chooses a passphrase.
    private static let passphrase = "a banana a day"

    var state: PurchasesState? { app?.shop.purchases.state }

    var settings: DeviceSettings { app?.device.settings ?? DeviceSettings() }

    func report(at now: Timestamp, in language: PageLanguage) -> PhoneReport { PhoneReport(self, at: now, in: language) }

    func beginLaunch() { (isClosed, launchError) = (false, nil) }

    /// Launches the app, and calls `changed` after each change of the app's state until the app is closed.
    func run(resetsVault: Bool = false, importing export: Data? = nil) async {
        changes += 1
        let launch = changes
        // End a running app session first, as on a real phone.
        interface.close()
        if let app {
            self.app = nil
            await app.close()
            guard launch == changes else { return }
        }
        interface = PageInterface(changed: changed)
        beginLaunch()
        do {
            let app = try await environment.launch(interface, resetsVault: resetsVault, speed: speed)
            guard launch == changes else { return await app.close() }
            self.app = app
            launches += 1
            changed()
            async let addition: Void = add(export)
            for await _ in app.shop.purchases.states { changed() }
            await addition
        } catch {
            failLaunch(error)
        }
        changed()
    }

    /// Shows the error of a failed launch.
    func failLaunch(_ error: any Error) {
        launchError = error as? MonkeyShopError ?? .refused("\(error)")
        launches += 1
    }

    func close() async {
        changes += 1
        interface.close()
        (isClosed, notice, reader, receipt) = (true, [], nil, nil)
        guard let app else { return }
        self.app = nil
        await app.close()
        changed()
    }

    @discardableResult
    func perform(_ command: PhoneCommand) async -> Data? {
        switch command {
        case .tap(let tap): await perform(tap)
        case .answer(let sheet, let answer): interface.answer(sheet, answer.answer)
        case .setNetwork(let isOn):
            queued = []
            speed.isDown = !isOn
            await change { $0.airplaneMode = !isOn }
        case .setRestricted(let isOn): await change { $0.restrictsPayments = isOn }
        case .setSpeed(let isFast):
            speed.isSlow = !isFast
            changed()
        case .refresh: await refresh()
        case .loadProducts: await loadProducts()
        case .setLanguage:
            await refresh()
            await loadProducts()
        case .export: return await export()
        }
        return nil
    }

    private func change(_ body: @Sendable (inout DeviceSettings) -> Void) async {
        guard let app else { return }
        do { try await app.device.change(body) } catch { say(Phrase("\(error)")) }
        await refresh()
    }

    private func refresh() async {
        guard let app else { return }
        app.device.wake()
        // Do not wait for the retry if downloads are running, because a retry waits for running downloads.
        if let state, state.runningDownloads > 0 { Task { await retry(app) } } else { await retry(app) }
    }

    private func retry(_ app: LaunchedApp) async {
        await app.run { await $0.retry() }
        await app.waitUntilIdle()
    }

    private func loadProducts() async { await app?.run { await $0.purchases.loadProducts() } }

    private func perform(_ action: ShopAction.Tap) async {
        switch action {
        case .show(let screen):
            self.screen = Screen(rawValue: screen) ?? self.screen
            (notice, reader, receipt) = ([], nil, nil)
        case .buy(let product, _, let offer?): await buy(product, offer: offer)
        case .buy(let product, let quantity, nil): await buy(product, quantity: min(max(quantity, 1), 10))
        case .spend: await spend()
        case .restore(let onlyOfUser): await restore(onlyOfUser: onlyOfUser)
        case .retry: await refresh()
        case .picture(let number): picture = number
        case .filter(let name): filter = Filter(rawValue: name) ?? .none
        case .openBook(let book): await open(book)
        case .turn(let page): reader?.turn(to: page)
        case .closeBook: reader = nil
        case .download(let book): await download(book)
        case .pauseDownload(let book): await tap { await $0.pauseDownload(of: book) }
        case .resumeDownload(let book): await tap { await $0.resumeDownload(of: book) }
        case .cancelDownload(let book): await tap { await $0.cancelDownload(of: book) }
        case .removeBook(let book): await tap { await $0.removeContent(of: book) }
        case .manageSubscriptions:
            await sayFailure { try await $0.showManageSubscriptions() }
            await refresh()
        case .redeemCode: await sayFailure { try await $0.redeemOfferCode() }
        case .requestRefund(let transaction):
            guard let id = UInt64(transaction.rawValue) else { return }
            await sayFailure { device in
                if try await device.beginRefundRequest(for: id) == .success { self.say("The App Store has received your request.") }
            }
        case .dismissNotice: notice = []
        case .showReceipt: await readReceipt()
        case .hideReceipt: receipt = nil
        case .refreshReceipt: await refreshReceipt()
        case .validateReceipt(let host): await validateReceipt(at: host)
        }
    }

    /// Runs a function that opens a sheet of the store, and shows the message of an error.
    private func sayFailure(of body: @escaping @MainActor @Sendable (Device) async throws -> Void) async {
        guard let device = app?.device else { return }
        let failure = await tap { _ -> String? in
            do {
                try await body(device)
                return nil
            } catch {
                return error.localizedDescription
            }
        }
        if let failure = failure ?? nil { say(Phrase(failure)) }
    }

    /// Runs code of the app in response to a tap.
    @discardableResult
    private func tap<Result: Sendable>(_ body: @MainActor @Sendable (MonkeyShop) async -> Result) async -> Result? {
        guard let app else { return nil }
        notice = []
        return await app.run { await body($0) }
    }

    /// Buys a product, and shows the outcome; without a network, the payment stays in the payment queue.
    func buy(_ product: ProductID, quantity: Int) async {
        guard !settings.airplaneMode else {
            // Add at most one payment for each product while the network is unavailable.
            if queued.insert(product).inserted { await tap { $0.add(product, quantity: quantity) } }
            return say("The payment waits on this phone until the network is back.")
        }
        let outcome = await tap { await $0.purchases.buy(product, quantity: quantity) }
        if let outcome { report(outcome) }
    }

    private func report(_ outcome: PurchaseOutcome) {
        switch outcome {
        case .purchased(_, let delivery): say(delivery.message.map { Phrase($0) } ?? "Thank you!")
        case .canceled: say()
        case .pending: say("Waiting for approval")
        case .failed(let failure): say(Phrase(failure.message), Phrase(failure.advice))
        }
    }

    /// Buys a subscription with a promotional offer, and shows the outcome.
    func buy(_ product: ProductID, offer: String) async {
        if let outcome = await tap({ await $0.buy(product, offer: offer) }) { report(outcome) }
    }

    /// Restores the products that the user chooses, and shows the number of restored purchases.
    ///
    /// - Parameter onlyOfUser: Whether only the purchases of the app's user are restored.
    func restore(onlyOfUser: Bool) async {
        let interface = interface
        let outcome = await tap { shop in
            await shop.restore(of: onlyOfUser ? shop.customer : nil) { await interface.choose($0) }
        }
        switch outcome {
        case .completed(let difference): say(Self.text(of: difference))
        case .nothingToRestore: say("There is nothing to restore.")
        case .failed(let failure): say(Phrase(failure.message), Phrase(failure.advice))
        case .canceled, nil: say()
        }
    }

    private static func text(of difference: RestoreDifference) -> Phrase {
        let restored = difference.gained.count + difference.kept.count
        if !difference.undelivered.isEmpty { return "Not everything could be restored. Try again later." }
        return switch restored {
        case 0: "Nothing was restored."
        case 1: "Restored one purchase."
        default: "Restored \(restored) purchases."
        }
    }

    /// Spends a credit on a banana.
    func spend() async {
        let order = UUID().uuidString
        let error = await tap { shop -> DebitError? in
            do throws(DebitError) {
                _ = try await shop.spend(1, for: order)
                return nil
            } catch {
                return error
            }
        }
        say(error.flatMap { $0.map { Phrase($0.localizedDescription) } } ?? "One banana, as ordered.")
    }

    /// Opens a book that is on the phone.
    private func open(_ book: MonkeyShopBook) async {
        reader = await app?.shop.text(of: book).map { BookReader($0) }
        if reader == nil { say("The book is not on this phone yet.") } else { changed() }
    }

    /// Downloads a book, and shows the reason if the download is delayed or refused.
    private func download(_ book: MonkeyShopBook) async {
        switch await tap({ await $0.download(book) }) {
        case .delayed(let sentence), .refused(let sentence): say(Phrase(sentence))
        case .installed, .paused, .canceled, .unavailable, nil: break
        }
    }

    /// Exports the purchases for another phone; after a failure, shows the error and returns nil.
    func export() async -> Data? {
        let result = await tap { shop -> Result<Data, ExportError> in
            do throws(ExportError) { return .success(try await shop.export(passphrase: Self.passphrase)) } catch { return .failure(error) }
        }
        switch result {
        case .success(let export): return export
        case .failure(let error): say(Phrase(error.description))
        case nil: break
        }
        return nil
    }

    private func add(_ export: Data?) async {
        guard let export else { return }
        let text = await tap { shop -> Phrase in
            do throws(ExportError) {
                _ = try await shop.add(export, passphrase: Self.passphrase)
                return "Your purchases are on this phone now."
            } catch {
                return Phrase(error.description)
            }
        }
        if let text { say(text) }
    }

    /// Reads and verifies the app's receipt.
    func readReceipt() async {
        guard let device = app?.device else { return }
        do throws(AppReceipt.Failure) { receipt = try await AppReceipt(of: device) } catch { return say(error.phrase) }
        changed()
    }

    /// Sends the app's receipt to `verifyReceipt`.
    func validateReceipt(at host: VerifyReceiptHost) async {
        guard let asked = receipt else { return }
        let status = settings.airplaneMode ? nil : await asked.validate(at: host, in: environment)
        guard let status else { return say("The receipt can't be sent. Check the network connection.") }
        // Drop the status if the user has closed the receipt during the request.
        guard receipt?.bytes == asked.bytes else { return }
        receipt?.status = status
        changed()
    }

    /// Fetches the app's receipt from the App Store, and shows the receipt.
    func refreshReceipt() async {
        let error = await tap { _ -> MonkeyShopError? in
            do throws(MonkeyShopError) { try await MonkeyShop.refreshReceipt() } catch { return error }
            return nil
        }
        guard let error else { return }
        if let error { say(Phrase(error.description)) } else { await readReceipt() }
    }

    /// Shows phrases as the app's notice; a call without phrases removes the notice.
    private func say(_ phrases: Phrase...) {
        notice = phrases
        changed()
    }
}
