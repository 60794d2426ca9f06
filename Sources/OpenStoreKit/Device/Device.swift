public import Foundation
public import Logging
import PrivateFiles
public import PurchaseModel
import PurchaseProtocol
import Synchronization
import WireClient

/// A device that runs one app, with the store of its purchases, the folder of its state and the interface of its sheets.
///
/// StoreKit's static members use the *current* device: the one bound to the task (``$current``), or else the one set for the process
/// (``use(_:)``). Many devices live in one process independently of each other.
///
/// Observers and delegates are called on one serial queue per device, in order, and never while a lock is held.
public final class Device: Sendable {
    /// The device bound to the current task.
    @TaskLocal public static var current: Device?

    private static let process = Mutex<Device?>(nil)

    /// Sets the device that StoreKit's static members use where no task-local device is set.
    public static func use(_ device: Device?) {
        process.withLock { $0 = device }
        if device != nil { announceAvailability() }
    }

    /// Whether the device of another test's session may be used here; false in tests of the behavior without a device.
    @TaskLocal static var allowsSharedTestDevice = true

    /// The device that StoreKit's static members use here; nil when there is none.
    public static var active: Device? { unshared ?? (allowsSharedTestDevice ? sharedTestDeviceProvider.withLock { $0 }?() : nil) }

    /// The device that is current here, without the devices of other tests' sessions.
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
    /// The price increases that were delivered to the app and that the user has not answered.
    let priceIncreases = Mutex<[PendingDelivery<StoreMessage>]>([])

    var engine: PaymentEngine { service.engine }
    var promptLimiter: PromptLimiter { service.promptLimiter }
    var downloads: DownloadCenter { service.downloads }
    /// The queue on which the app's observers and delegates are called.
    package var callbacks: CallbackQueue { service.callbacks }

    /// Opens a device, and creates its folder when the folder does not exist.
    ///
    /// - Parameters:
    ///   - configuration: Store, app, folder and user.
    ///   - transport: The connection to the store; HTTP unless a test replaces it.
    ///   - retryPolicy: The delays between retries.
    ///   - clock: The clock that waits between retries.
    ///   - logger: The log of failures that are not reported to the app: refused data, a journal that can't be written.
    /// - Throws: ``DeviceError/storage(reason:)`` or ``DeviceError/roots(reason:)``.
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
    ///   - queue: An existing queue of the app without a device; nil to create one at the first access.
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
        } catch {
            throw .storage(reason: "the journal in \(configuration.folder) can't be opened; choose another folder")
        }
        state = try DeviceState(folder: configuration.folder, step: step)
        session = try StoreSession(
            configuration: configuration,
            state: state,
            transport: transport ?? HTTPStoreTransport(storeURL: configuration.storeURL),
            receiptPath: Self.receiptPath(in: configuration.folder),
            step: step
        )
        let callbacks = queue?.callbacks ?? CallbackQueue()
        let app = AppConnection(callbacks)
        let promptLimiter = PromptLimiter(configuration, logger: logger)
        let engine = PaymentEngine(
            journal: journal,
            session: session,
            state: state,
            interface: PromptLimitingInterface(configuration.interface, promptLimiter: promptLimiter),
            retryPolicy: retryPolicy,
            clock: clock,
            logger: logger,
            app: app
        )
        let downloads = DownloadCenter(
            session: session, folder: configuration.folder, app: app, retryPolicy: retryPolicy, clock: clock, logger: logger)
        service = PaymentService(engine: engine, promptLimiter: promptLimiter, downloads: downloads, callbacks: callbacks)
        if let queue {
            self.queue.withLock { $0 = queue }
            queue.attach(to: service)
        }
        callbacks.attach(to: self)
    }

    /// The app's queue, created and attached at the first access.
    package func queue<Queue: AppPaymentQueue>(_ make: () -> Queue) -> Queue {
        queue.withLock { queue in
            if let known = queue as? Queue { return known }
            let made = make()
            queue = made
            made.attach(to: service)
            return made
        }
    }

    /// The device's identifier, to which receipts are bound.
    public var id: DeviceID { state.device }

    /// The account that is signed in; nil when none is.
    public var account: AccountID? { state.session?.account }

    /// The settings of the device's user.
    public var settings: DeviceSettings { state.settings }

    /// Whether the user may make payments: false when purchases are restricted.
    public var canMakePayments: Bool { !settings.restrictsPayments }

    /// The location of the receipt, which may be absent before the first purchase or refresh.
    public var receiptURL: URL { URL(filePath: Self.receiptPath(in: configuration.folder)) }

    private static func receiptPath(in folder: String) -> String { folder + "/StoreKit/sandboxReceipt" }

    /// Changes the settings of the device's user; leaving airplane mode makes the queue retry at once.
    public func change(_ body: (inout DeviceSettings) -> Void) throws(DeviceError) {
        let wasInAirplaneMode = settings.airplaneMode
        try state.change(body)
        if wasInAirplaneMode, !settings.airplaneMode {
            engine.submit(.retry)
        }
    }

    /// Signs an account in, as a user does in the system's settings.
    public func signIn(_ credentials: Credentials) async throws(DeviceError) {
        do {
            await engine.waitUntilReady(launching: false)
            try await engine.signIn(credentials)
        } catch .refused(_, let error) {
            throw .refused(code: error.code, message: error.message)
        } catch {
            throw .unreachable
        }
        engine.submit(.retry)
    }

    /// Signs out: the account's unfinished transactions leave the queue, and enter it again at the account's next sign-in.
    public func signOut() async throws(DeviceError) {
        await engine.waitUntilReady(launching: false)
        try await engine.signOut()
    }

    /// Fetches changes from the store, as when the app comes to the foreground; returns at once.
    public func wake() {
        engine.submit(.retry)
    }

    /// Waits until the device is idle: the queue has done all possible work, and every observer has been notified.
    ///
    /// Tests and scripts call this instead of waiting for a fixed time. The call does not wait for work that needs an unavailable
    /// network.
    public func waitUntilIdle() async {
        await engine.waitUntilIdle { [service] in await service.drain() }
    }
}
