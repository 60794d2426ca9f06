import Foundation
import GRDB
import PurchaseIssuing
import PurchaseModel
import PurchaseTestSupport
import StoreTestSupport

@testable import OpenStoreKit

/// A device of one account, with its disk and its current app session.
final class SimulatedDevice {
    let index: Int
    let kind: AppKind
    let account: Int
    /// Applies to the journal of the device.
    let diskFaults = ProcessFaults()
    private(set) var session: AppSession?
    private(set) var app: (any SimulatedApp)?
    private(set) var launches = 0
    private let world: SimulatedWorld
    private let root: TemporaryFolder
    private let disk = AppDisk()
    /// The number of the folder with the device's files; an app session that is killed leaves its folder to the code that still runs.
    private var folder = 0
    private var isSignedIn = false

    init(_ index: Int, _ kind: AppKind, account: Int, in world: SimulatedWorld) throws {
        self.index = index
        self.kind = kind
        self.account = account
        self.world = world
        root = try TemporaryFolder()
    }

    private func path(_ folder: Int) -> String { root.file("\(folder)").path(percentEncoded: false) }

    /// Whether the app session was killed.
    var wasKilled: Bool { session?.fuse.hasEnded ?? false }

    /// Starts an app session.
    func launch() async throws {
        launches += 1
        let (before, after) = (path(folder), path(folder + 1))
        let fault = world.plantedFault
        let fuse = SessionFuse {
            Self.copyDisk(from: before, to: after)
            fault?.lose(inDeviceFolder: after)
        }
        let device = try open(fuse)
        try await applyDiskFaults(to: device)
        let customer = world.customers[account]
        let server = ServerConnectionOfApp(
            server: world.server, network: world.network, link: .server(device: index), customer: customer,
            deviceVerificationID: device.verificationID, fuse: fuse, acknowledgments: world.acknowledgments,
            plantedFault: fault)
        let session = AppSession(
            device: device, fuse: fuse, disk: disk, server: server, account: account, customer: customer, clock: world.store.clock)
        self.session = session
        if device.account == nil { try? await device.signIn(world.credentials(of: account)) }
        app =
            switch kind {
            case .plain: PlainApp(session: session)
            case .kit: try? await KitApp(session, verifier: world.store.verifier, usesServer: true)
            case .kitAlone: try? await KitApp(session, verifier: world.store.verifier, usesServer: false)
            }
    }

    private func open(_ fuse: SessionFuse) throws -> Device {
        let transport = DeviceTransport(
            index: index, account: account, network: world.network,
            store: world.plantedFault?.transport(world.store.transport) ?? world.store.transport, verifier: world.store.verifier,
            fuse: fuse,
            acknowledgments: world.acknowledgments)
        let configuration = DeviceConfiguration(
            storeURL: "http://127.0.0.1:9", bundleID: .test, appVersion: "1.0", folder: path(folder),
            rootsPEM: TestAuthority.shared.authority.rootsPEM, interface: ScriptedInterface(world.credentials(of: account)))
        return try Device(configuration, transport, RetryPolicy { 0 }, TestClock(), .silent) { _ in fuse.step() }
    }

    private func applyDiskFaults(to device: Device) async throws {
        let journal = await device.engine.request(launching: false) { $0.queue.journal.database }
        journal.add(transactionObserver: FaultyDatabase(diskFaults), extent: .databaseLifetime)
    }

    /// Copies the files of a device as a power failure leaves them.
    private static func copyDisk(from before: String, to after: String) {
        try? FileManager.default.copyItem(atPath: before, toPath: after)
        // SQLite creates the index of its log again.
        try? FileManager.default.removeItem(atPath: after + "/journal.sqlite-shm")
    }

    /// Ends the app session without a warning.
    func kill() {
        session?.fuse.end()
    }

    /// Starts the next app session if the last one was killed.
    func relaunchIfKilled() async throws {
        while wasKilled || session == nil {
            await app?.close()
            await session?.device.waitUntilIdle()
            if wasKilled { folder += 1 }
            try await launch()
        }
    }

    /// Brings the device up to date with the store, and lets the app do what is possible.
    func update() async {
        session?.device.wake()
        await app?.update()
    }

    func close() async {
        await app?.close()
        await session?.device.waitUntilIdle()
        app = nil
        session = nil
    }
}
