public import Foundation
public import Logging
import PrivateFiles
public import PurchaseModel
import StoreProtocol
import Synchronization
import Wire

/// A simulated device that runs one app: the engine behind StoreKit's API.
///
/// A device buys in one store, keeps its state in one folder, and shows the store's sheets through a ``StoreInterface``. StoreKit's static
/// members use the *current* device: ``current`` if it is set for the task, otherwise the device set with ``use(_:)``. A process can
/// contain several independent devices.
///
/// A device calls observers and delegates on one serial queue, in order, and holds no lock during a call.
public final class Device: Sendable {
    /// The device that StoreKit's static members use in the current task; nil to use the device of the process.
    @TaskLocal public static var current: Device?

    private static let process = Mutex<Device?>(nil)

    /// Sets the device of the process, which StoreKit's static members use in tasks without a ``current`` device.
    public static func use(_ device: Device?) {
        process.withLock { $0 = device }
        if device != nil { announceAvailability() }
    }

    /// Whether the current task may use the device of another test's session; tests of the behavior without a device set false.
    @TaskLocal static var allowsSharedTestDevice = true

    /// The device that StoreKit's static members use in the current task; nil if there is none.
    public static var active: Device? { unshared ?? (allowsSharedTestDevice ? sharedTestDeviceProvider.withLock { $0 }?() : nil) }

    /// The device for the current task, not considering the devices of other tests' sessions; nil if there is none.
    package static var unshared: Device? {
        current ?? testDeviceProvider.withLock { $0 }?() ?? process.withLock { $0 } ?? (try? environmentDevice.get())
    }

    /// The configuration of the device.
    public let configuration: DeviceConfiguration

    /// The errors that a test simulates for StoreKit 2.
    package let simulatedFailures = SimulatedFailures()

    let session: StoreSession
    let state: DeviceState
    let service: PaymentService
    private let queue = Mutex<(any AppPaymentQueue)?>(nil)
    /// The messages about price increases that the app has received and the user has not answered.
    let priceIncreases = Mutex<[PendingDelivery<StoreMessage>]>([])

    var engine: PaymentEngine { service.engine }
    var promptLimiter: PromptLimiter { service.promptLimiter }
    var downloads: DownloadCenter { service.downloads }
    /// The queue on which the app's observers and delegates are called.
    package var callbacks: CallbackQueue { service.callbacks }

    /// Opens a device, and creates its folder if the folder does not exist.
    ///
    /// - Parameters:
    ///   - configuration: The device's store, app, folder and user interface.
    ///   - transport: The connection to the store; nil for HTTP.
    ///   - retryPolicy: The delays between retries.
    ///   - clock: The clock that waits between retries.
    ///   - logger: The log for failures that the app does not receive, such as refused data or a journal that can't be written.
    /// - Throws: ``DeviceError/storage(reason:)`` if the folder can't be used; ``DeviceError/roots(reason:)`` if the root certificates
    ///   can't be used.
    public convenience init(
        _ configuration: DeviceConfiguration,
        transport: (any StoreTransport)? = nil,
        retryPolicy: RetryPolicy = RetryPolicy(),
        clock: any Clock<Duration> = ContinuousClock(),
        logger: Logger = Logger(label: "OpenStoreKit")
    ) throws(DeviceError) {
        try self.init(configuration, transport, retryPolicy, clock, logger) { _ in }
    }

    /// Opens a device that reports every step at which a power failure could happen.
    ///
    /// - Parameters:
    ///   - queue: The app's payment queue if the app accessed it before the device existed; nil to create the queue at the first access.
    ///   - step: Called before and after each write and request.
    package init(
        _ configuration: DeviceConfiguration,
        _ transport: (any StoreTransport)?,
        _ retryPolicy: RetryPolicy,
        _ clock: any Clock<Duration>,
        _ logger: Logger,
        queue: (any AppPaymentQueue)? = nil,
        step: @escaping @Sendable (DeviceStep) -> Void
    ) throws(DeviceError) {
        self.configuration = configuration
        let journal: Journal
        do {
            try PrivateFiles.createFolder(configuration.folder)
            journal = try Journal(path: configuration.folder + "/journal.sqlite", step: step)
        } catch is Journal.ForeignDatabase {
            throw .storage(reason: "\(configuration.folder)/journal.sqlite is a database of another program; choose another folder")
        } catch LockedFile.Failure.busy {
            throw .storage(reason: "\(configuration.folder) is used by another process of the app; end it, or choose another folder")
        } catch {
            throw .storage(reason: "\(configuration.folder)/journal.sqlite can't be opened; check its permissions or choose another folder")
        }
        state = try DeviceState(folder: configuration.folder, step: step)
        session = try StoreSession(
            configuration: configuration,
            state: state,
            transport: transport ?? HTTPStoreTransport(storeURL: configuration.storeURL),
            receiptPath: Self.receiptURL(in: configuration.folder).path(percentEncoded: false),
            step: step
        )
        let callbacks = queue?.callbacks ?? CallbackQueue()
        let app = AppConnection(callbacks)
        let promptLimiter = PromptLimiter(configuration, logger: logger)
        let engine = PaymentEngine(
            journal: journal,
            session: session,
            interface: PromptLimitingInterface(configuration.interface, promptLimiter: promptLimiter),
            retryPolicy: retryPolicy,
            clock: clock,
            logger: logger,
            app: app
        )
        let downloads = DownloadCenter(
            session: session, folder: configuration.folder, app: app, retryPolicy: retryPolicy, clock: clock, logger: logger,
            step: step)
        service = PaymentService(engine: engine, promptLimiter: promptLimiter, downloads: downloads, callbacks: callbacks)
        if let queue {
            self.queue.withLock { $0 = queue }
            queue.attach(to: service)
        }
        callbacks.attach(to: self)
    }

    /// Returns the app's payment queue, which `make` creates at the first call.
    package func queue<Queue: AppPaymentQueue>(_ make: () -> Queue) -> Queue {
        queue.withLock { queue in
            if let known = queue as? Queue { return known }
            let made = make()
            queue = made
            made.attach(to: service)
            return made
        }
    }

    /// The identifier of the device; receipts are valid for this identifier only.
    public var id: DeviceID { state.device }

    /// The account that is signed in; nil if no account is.
    public var account: AccountID? { state.session?.account }

    /// The settings of the device's user.
    public var settings: DeviceSettings { state.settings }

    /// Whether the user may make payments; false if the device's settings restrict purchases.
    public var canMakePayments: Bool { !settings.restrictsPayments }

    /// The file URL of the app's receipt; the file may not exist before the first purchase or refresh.
    public var receiptURL: URL { Self.receiptURL(in: configuration.folder) }

    /// Returns the file URL of the receipt of an app whose device has its state in a folder.
    ///
    /// - Parameter folder: The path of the device's folder.
    public static func receiptURL(in folder: String) -> URL { URL(filePath: folder + "/StoreKit/sandboxReceipt") }

    /// Changes the settings of the device.
    ///
    /// If the change ends airplane mode, the payment queue retries at once.
    ///
    /// - Throws: ``DeviceError/storage(reason:)`` if the settings can't be written; they then stay unchanged.
    public func change(_ body: @Sendable (inout DeviceSettings) -> Void) async throws(DeviceError) {
        let endsAirplaneMode = try await engine.request(launching: false) { (engine) async throws(DeviceError) -> Bool in
            let wasInAirplaneMode = engine.session.state.settings.airplaneMode
            let settings = try engine.session.state.change(body)
            return wasInAirplaneMode && !settings.airplaneMode
        }
        if endsAirplaneMode { engine.inbox.submit(.retry) }
    }

    /// Signs an account in, as a user does in the system's settings.
    ///
    /// - Throws: ``DeviceError/refused(code:message:)`` if the store refuses the sign-in; ``DeviceError/unreachable`` if the store can't be
    ///   reached.
    public func signIn(_ credentials: Credentials) async throws(DeviceError) {
        do {
            try await engine.request(launching: false) { (engine) async throws(WireClientError) in try await engine.signIn(credentials) }
        } catch .refused(_, let error) {
            throw .refused(code: error.code, message: error.message)
        } catch {
            throw .unreachable
        }
        engine.inbox.submit(.retry)
    }

    /// Signs the account out.
    ///
    /// The account's unfinished transactions leave the payment queue, and enter it again when the account signs in.
    ///
    /// - Throws: ``DeviceError/storage(reason:)`` if the change can't be written.
    public func signOut() async throws(DeviceError) {
        try await engine.request(launching: false) { (engine) async throws(DeviceError) in try await engine.signOut() }
    }

    /// Fetches changes from the store, as when the app comes to the foreground; returns at once.
    public func wake() {
        engine.inbox.submit(.retry)
    }

    /// Waits until the payment queue has done all possible work and every observer has been notified.
    ///
    /// Tests and scripts call this instead of waiting for a fixed time. The call does not wait for work that needs an unavailable network.
    public func waitUntilIdle() async {
        await engine.waitUntilIdle { [service] in await service.drain() }
    }
}
