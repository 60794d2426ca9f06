import Foundation
import OpenStoreKit
import StoreKit

/// The actions of a device in one app session.
enum Script: String {
    /// Finishes the unfinished transactions.
    case finishUnfinished
    /// Makes and finishes a purchase with StoreKit 1.
    case buy
    /// Makes a purchase with StoreKit 1 and leaves it unfinished.
    case leaveUnfinished
    /// Makes and finishes a purchase with StoreKit 2.
    case buyWithStoreKit2
    /// Restores purchases and finishes them.
    case restore
    /// Accepts promoted purchases with StoreKit 1.
    case promoted
    /// Prints purchase intents and messages with StoreKit 2 until the process is killed.
    case listen

    func run(_ device: Device) async throws {
        let listener = Listener(finishes: self != .leaveUnfinished, wantsPromotions: self == .promoted)
        if self != .listen { device.paymentQueue.add(listener) }
        switch self {
        case .finishUnfinished:
            break
        case .buy:
            device.paymentQueue.add(Self.payment("com.example.monkeyshop.credits5"))
        case .leaveUnfinished:
            device.paymentQueue.add(Self.payment("com.example.monkeyshop.filter.sepia"))
        case .buyWithStoreKit2:
            device.paymentQueue.remove(listener)
            try await Self.buyWithStoreKit2()
        case .restore:
            device.paymentQueue.restoreCompletedTransactions()
        case .promoted:
            try await Self.signIn(device)
        case .listen:
            try await Self.listen(device)
        }
        await device.waitUntilIdle()
        withExtendedLifetime(listener) {}
    }

    private static func signIn(_ device: Device) async throws {
        guard device.account == nil, let credentials = await device.configuration.interface.signIn() else { return }
        try await device.signIn(credentials)
    }

    /// Listens until the process is killed; an alarm ends it after 60 seconds.
    private static func listen(_ device: Device) async throws {
        // The iterator is made before the sign-in, so that it receives every message.
        let messages = Message.messages.makeAsyncIterator()
        let listening = Task {
            var messages = messages
            while let message = await messages.next() { printLine("received message \(message.reason.rawValue)") }
        }
        let intentTask = Task {
            for await intent in PurchaseIntent.intents { printLine("received intent \(intent.id)") }
        }
        try await signIn(device)
        alarm(60)
        await listening.value
        await intentTask.value
    }

    private static func printLine(_ line: String) {
        FileHandle.standardOutput.write(Data("\(line)\n".utf8))
    }

    private static func payment(_ product: String) -> SKPayment {
        let payment = SKMutablePayment()
        payment.productIdentifier = product
        return payment
    }

    private static func buyWithStoreKit2() async throws {
        guard let product = try await Product.products(for: ["com.example.monkeyshop.credits5"]).first,
            case .success(.verified(let transaction)) = try await product.purchase()
        else { throw DeviceProcess.Usage() }
        FileHandle.standardOutput.write(Data("delivered \(transaction.id) -\n".utf8))
        await transaction.finish()
    }
}
