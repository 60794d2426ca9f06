public import MonkeyShop
public import OpenStoreKit
public import StoreKit

/// A host that runs one app session of the sample app on a device, as the operating system does on a phone.
///
/// The app calls StoreKit only. The host sets the device as the task-local value `Device.current` while the app's code runs, so that
/// StoreKit's calls reach the device.
public final class LaunchedApp: Sendable {
    /// The device on which the app runs.
    public let device: Device
    /// The app.
    ///
    /// Call functions of `shop` only in the closure of ``run(_:)`` or ``call(_:)``; stored properties of `shop` can be read anywhere.
    public let shop: MonkeyShop

    /// Launches the app on a device.
    ///
    /// - Parameters:
    ///   - device: The device, whose folder also contains the app's files, and whose airplane mode also disconnects the app.
    ///   - configuration: The configuration of the app; the host replaces `isReachable`.
    /// - Throws: The error of the app's initializer.
    public init(on device: Device, _ configuration: MonkeyShopConfiguration) async throws(MonkeyShopError) {
        var configuration = configuration
        configuration.isReachable = { !device.settings.airplaneMode }
        self.device = device
        // Set the device during the launch, because the tasks of the app session inherit the task-local value.
        let result: Result<MonkeyShop, MonkeyShopError> = await Device.$current.withValue(device) { [configuration] in
            do throws(MonkeyShopError) { return .success(try await MonkeyShop(configuration)) } catch { return .failure(error) }
        }
        shop = try result.get()
    }

    /// Runs code of the app in response to a user's tap.
    ///
    /// - Parameter body: The code, which receives the app.
    /// - Returns: The result of the code.
    public func run<Value: Sendable, Failure>(_ body: (MonkeyShop) async throws(Failure) -> Value) async throws(Failure) -> Value {
        let result: Result<Value, Failure> = await Device.$current.withValue(device) {
            await Device.withUserGesture {
                do throws(Failure) { return .success(try await body(shop)) } catch { return .failure(error) }
            }
        }
        return try result.get()
    }

    /// Calls a synchronous function of the app in response to a user's tap.
    ///
    /// - Parameter body: The function, which receives the app.
    /// - Returns: The result of the function.
    public func call<Value>(_ body: (MonkeyShop) throws -> Value) rethrows -> Value {
        try Device.$current.withValue(device) { try Device.withUserGesture { try body(shop) } }
    }

    /// Fetches the app receipt on a device on which the app does not run.
    ///
    /// - Parameter device: The device, on which an account is signed in.
    /// - Throws: `MonkeyShopError.refused` with the message of the failed request.
    public static func refreshReceipt(on device: Device) async throws {
        try await Device.$current.withValue(device) {
            try await Device.withUserGesture { try await MonkeyShop.refreshReceipt() }
        }
    }

    /// The app's payment queue.
    public var paymentQueue: SKPaymentQueue { Device.$current.withValue(device) { SKPaymentQueue.default() } }

    /// Waits until the device is idle and all deliveries have ended.
    public func waitUntilIdle() async {
        await run { shop in
            // Wait twice, because a delivery can start an operation of the device, such as finishing a transaction.
            for _ in 1...2 {
                await device.waitUntilIdle()
                await shop.waitUntilIdle()
            }
            await device.waitUntilIdle()
        }
    }

    /// Ends the app session.
    public func close() async {
        await run { await $0.close() }
    }
}
