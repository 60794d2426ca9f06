import Foundation
import OpenStoreKit

/// What a device does in one launch.
enum Script: String {
    /// Looks what is there, and finishes it.
    case look
    /// Buys and finishes, with StoreKit 1.
    case buy
    /// Buys and leaves it unfinished.
    case hold
    /// Buys and finishes, with StoreKit 2.
    case call
    /// Restores and finishes.
    case restore

    func play(_ device: Device) async throws {
        let listener = Listener(finishes: self != .hold)
        device.paymentQueue.add(listener)
        switch self {
        case .look:
            break
        case .buy:
            device.paymentQueue.add(Self.payment("com.example.monkeyshop.credits5"))
        case .hold:
            device.paymentQueue.add(Self.payment("com.example.monkeyshop.filter.sepia"))
        case .call:
            device.paymentQueue.remove(listener)
            try await Self.call()
        case .restore:
            device.paymentQueue.restoreCompletedTransactions()
        }
        await device.settle()
        withExtendedLifetime(listener) {}
    }

    private static func payment(_ product: String) -> SKPayment {
        let payment = SKMutablePayment()
        payment.productIdentifier = product
        return payment
    }

    private static func call() async throws {
        guard let product = try await Product.products(for: ["com.example.monkeyshop.credits5"]).first,
            case .success(.verified(let transaction)) = try await product.purchase()
        else { throw DeviceProcess.Usage() }
        FileHandle.standardOutput.write(Data("heard \(transaction.id) -\n".utf8))
        await transaction.finish()
    }
}
