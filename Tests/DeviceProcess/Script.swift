import Foundation
import OpenStoreKit
import StoreKit

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
    /// Buys what the user chose outside the app, with StoreKit 1.
    case promoted
    /// Hears what the user chose outside the app, and what the store says, with StoreKit 2, until it is killed.
    case listen

    func play(_ device: Device) async throws {
        let listener = Listener(finishes: self != .hold, wantsPromotions: self == .promoted)
        if self != .listen { device.paymentQueue.add(listener) }
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
        case .promoted:
            try await Self.signIn(device)
        case .listen:
            try await Self.listen(device)
        }
        await device.settle()
        withExtendedLifetime(listener) {}
    }

    private static func signIn(_ device: Device) async throws {
        guard device.account == nil, let credentials = await device.configuration.interface.signIn() else { return }
        try await device.signIn(credentials)
    }

    /// Listens until it is killed; a watchdog ends it when what was to be told did not come.
    private static func listen(_ device: Device) async throws {
        // Before anybody is signed in: to an app that listens first, everything is told.
        let messages = Message.messages.makeAsyncIterator()
        let listening = Task {
            var messages = messages
            while let message = await messages.next() { say("told message \(message.reason.rawValue)") }
        }
        let choosing = Task {
            for await intent in PurchaseIntent.intents { say("told intent \(intent.id)") }
        }
        try await signIn(device)
        alarm(60)
        await listening.value
        await choosing.value
    }

    private static func say(_ line: String) {
        FileHandle.standardOutput.write(Data("\(line)\n".utf8))
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
