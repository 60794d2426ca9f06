import Foundation
import PurchaseTestSupport
import StoreKit
import StoreTestSupport
import Synchronization
import Testing

@testable import OpenStoreKit

@Suite struct DeviceThreadTests {
    /// A disk that finishes no write until it is released.
    private final class SlowDisk: Sendable {
        private struct State {
            var isReleased = false
            var waiting = 0
        }

        private let state = Mutex(State())
        private let release = DispatchSemaphore(value: 0)

        var waiting: Int { state.withLock { $0.waiting } }

        func wait(for kind: String, at step: DeviceStep) {
            guard step == .writing(kind) else { return }
            let mustWait = state.withLock { state in
                if !state.isReleased { state.waiting += 1 }
                return !state.isReleased
            }
            if mustWait { release.wait() }
        }

        func finishWrites() {
            let waiting = state.withLock { state in
                state.isReleased = true
                return state.waiting
            }
            for _ in 0..<waiting { release.signal() }
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `devices that wait for the disk block no caller and no Swift task`() async throws {
        let disk = SlowDisk()
        defer { disk.finishWrites() }
        // More devices than the thread pool of Swift's tasks has threads.
        let count = ProcessInfo.processInfo.activeProcessorCount + 2
        var phones: [Phone] = []
        var devices: [Device] = []
        for _ in 0..<count {
            let phone = try await Phone()
            phones.append(phone)
            devices.append(
                try Device(phone.configuration, phone.transport, RetryPolicy(), phone.clock, .silent) { disk.wait(for: "queue", at: $0) })
        }
        for device in devices { device.paymentQueue.add(Phone.payment(SampleProduct.sepia)) }
        try await eventually { disk.waiting == count }
        // The tasks of this loop run although every device waits.
        await withTaskGroup { group in
            for number in 0..<100 { group.addTask { number } }
            for await _ in group {}
        }
        for device in devices { #expect(device.account == nil && device.storefront == nil && device.canMakePayments) }
        #expect(disk.waiting == count)
        withExtendedLifetime(phones) {}
    }
}
