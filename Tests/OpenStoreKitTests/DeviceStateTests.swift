import Foundation
import PurchaseModel
import PurchaseTestSupport
import Synchronization
import Testing

@testable import OpenStoreKit

@Suite struct DeviceStateTests {
    private static let session = DeviceIdentity.Session(account: "ada", token: "t", storefront: .unitedStates, appVersion: "1.0")

    /// The values that a reader saw while files were written.
    private final class Reader: Sendable {
        let state = Mutex<DeviceState?>(nil)
        let owners = Mutex<[AccountID?]>([])

        func read(at step: DeviceStep) {
            guard case .replacing = step, let state = state.withLock({ $0 }) else { return }
            owners.withLock { $0.append(state.owner) }
        }
    }

    @Test func `a reader does not wait for a write, and sees a change after it is written`() throws {
        let folder = try TemporaryFolder()
        let reader = Reader()
        let state = try DeviceState(folder: folder.url.path(percentEncoded: false)) { reader.read(at: $0) }
        reader.state.withLock { $0 = state }
        try state.begin(Self.session)
        #expect(state.owner == "ada")
        try state.signOut()
        try state.change { $0.airplaneMode = true }
        #expect(state.owner == nil && state.settings.airplaneMode)
        #expect(reader.owners.withLock { $0 } == [nil, "ada", nil])
        reader.state.withLock { $0 = nil }
    }

    @Test func `a change that can't be written has no effect, except that a session begins and ends in memory`() throws {
        let folder = try TemporaryFolder()
        let path = folder.url.path(percentEncoded: false)
        let state = try DeviceState(folder: path) { _ in }
        try state.begin(Self.session)
        try FileManager.default.removeItem(atPath: path)
        #expect(throws: DeviceError.self) { try state.signOut() }
        #expect(throws: DeviceError.self) { try state.save(SignedAppTransaction("a.b.c")) }
        #expect(throws: DeviceError.self) { try state.setReceiptVersion("2.0") }
        #expect(throws: DeviceError.self) { try state.change { $0.airplaneMode = true } }
        #expect(state.owner == "ada" && state.session == Self.session && state.appTransaction == nil && !state.settings.airplaneMode)
        #expect(throws: DeviceError.self) { try state.end("t") }
        #expect(state.owner == "ada" && state.session == nil)
        #expect(throws: DeviceError.self) { try state.begin(Self.session) }
        #expect(state.session == Self.session)
    }

    @Test func `processes that start a new device at the same time have the same device identifier`() async throws {
        try await TemporaryFolder.with { folder in
            let path = folder.url.path(percentEncoded: false)
            // Each state has files and locks of its own, like a process.
            let devices = try await withThrowingTaskGroup(of: DeviceID.self) { group in
                for _ in 0..<12 { group.addTask { try DeviceState(folder: path) { _ in }.device } }
                var all: Set<DeviceID> = []
                for try await device in group { all.insert(device) }
                return all
            }
            #expect(devices.count == 1)
        }
    }

    @Test func `a process that continues does not undo the sign-in, the sign-out and the settings of another process`() throws {
        let folder = try TemporaryFolder()
        let path = folder.url.path(percentEncoded: false)
        let (first, second) = (try DeviceState(folder: path) { _ in }, try DeviceState(folder: path) { _ in })
        try first.begin(Self.session)
        try second.save(SignedAppTransaction("a.b.c"))
        #expect(try DeviceState(folder: path) { _ in }.session == Self.session)
        let third = try DeviceState(folder: path) { _ in }
        try first.signOut()
        try third.setReceiptVersion("2.0")
        #expect(try DeviceState(folder: path) { _ in }.session == nil)
        try first.change { $0.airplaneMode = true }
        try second.change { $0.restrictsPayments = true }
        let settings = try DeviceState(folder: path) { _ in }.settings
        #expect(settings.airplaneMode && settings.restrictsPayments)
    }

    @Test func `processes of one session keep what each of them stores, and a file of a newer version`() throws {
        let folder = try TemporaryFolder()
        let path = folder.url.path(percentEncoded: false)
        try DeviceState(folder: path) { _ in }.begin(Self.session)
        let (first, second) = (try DeviceState(folder: path) { _ in }, try DeviceState(folder: path) { _ in })
        try first.save(SignedAppTransaction("a.b.c"))
        try second.setReceiptVersion("2.0")
        let stored = try DeviceState(folder: path) { _ in }
        #expect(stored.appTransaction == SignedAppTransaction("a.b.c") && stored.session?.appVersion == "2.0")
        let newer = Data(#"{"version":99}"#.utf8)
        try newer.write(to: folder.file("identity.json"))
        #expect(throws: DeviceError.self) { try first.setReceiptVersion("3.0") }
        #expect(try Data(contentsOf: folder.file("identity.json")) == newer)
    }

    @Test func `a session that could not be written is written with the next change`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("device").path(percentEncoded: false)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        let state = try DeviceState(folder: path) { _ in }
        try FileManager.default.moveItem(atPath: path, toPath: path + ".away")
        #expect(throws: DeviceError.self) { try state.begin(Self.session) }
        try FileManager.default.moveItem(atPath: path + ".away", toPath: path)
        try state.save(SignedAppTransaction("a.b.c"))
        let again = try DeviceState(folder: path) { _ in }
        #expect(again.session == Self.session && again.appTransaction == SignedAppTransaction("a.b.c"))
    }
}
