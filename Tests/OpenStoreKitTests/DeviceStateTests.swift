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
}
