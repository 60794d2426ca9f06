public import MonkeyShop
public import OpenStoreKit
public import StoreKit

/// The sample app on a device: the host of one app session, as the system is on a phone.
///
/// The app knows StoreKit only. StoreKit's calls reach the device because the host runs the app's code in a task whose current device this
/// is.
public final class LaunchedApp: Sendable {
    /// The device on which the app runs.
    public let device: Device
    /// The app, whose stored state can be read without the device; its functions are called in ``run(_:)`` and ``call(_:)``.
    public let shop: MonkeyShop

    /// Launches the app on a device.
    ///
    /// - Parameters:
    ///   - device: The device. Its folder contains the app's files, too, and its airplane mode is that of the app.
    ///   - configuration: The configuration, of which the host sets the network.
    /// - Throws: The error of the launch.
    public init(on device: Device, _ configuration: MonkeyShopConfiguration) async throws(MonkeyShopError) {
        var configuration = configuration
        configuration.isReachable = { !device.settings.airplaneMode }
        self.device = device
        // The tasks of the app session inherit the device.
        let result: Result<MonkeyShop, MonkeyShopError> = await Device.$current.withValue(device) { [configuration] in
            do throws(MonkeyShopError) { return .success(try await MonkeyShop(configuration)) } catch { return .failure(error) }
        }
        shop = try result.get()
    }

    /// Runs code of the app in response to a person's tap.
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

    /// Calls a function of the app that returns at once, in response to a person's tap.
    ///
    /// - Parameter body: The function, which receives the app.
    /// - Returns: The result of the function.
    public func call<Value>(_ body: (MonkeyShop) throws -> Value) rethrows -> Value {
        try Device.$current.withValue(device) { try Device.withUserGesture { try body(shop) } }
    }

    /// Fetches the receipt of an app that does not run.
    ///
    /// - Parameter device: The device of the app, on which an account is signed in.
    public static func refreshReceipt(on device: Device) async throws {
        try await Device.$current.withValue(device) {
            try await Device.withUserGesture { try await MonkeyShop.refreshReceipt() }
        }
    }

    /// The app's payment queue.
    public var paymentQueue: SKPaymentQueue { Device.$current.withValue(device) { SKPaymentQueue.default() } }

    /// Waits until the device has no work and all deliveries have ended.
    public func waitUntilIdle() async {
        await run { shop in
            // A delivery can give the device work, such as finishing a transaction.
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
