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
    /// Redeems an offer code.
    case redeem
    /// Upgrades the magazine in the sheet for subscriptions.
    case changePlan
    /// Signs the account in while another account may be signed in, and then finishes the unfinished transactions.
    case changeAccount
    /// Buys a book, downloads its content, and then finishes the transaction.
    case download
    /// Continues the download of an earlier app session.
    case continueDownload

    func run(_ device: Device) async throws {
        let listener = Listener(finishes: self != .leaveUnfinished, wantsPromotions: self == .promoted)
        if ![.listen, .changeAccount, .download, .continueDownload].contains(self) { device.paymentQueue.add(listener) }
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
        case .redeem:
            try await device.redeemOfferCode()
        case .changePlan:
            try await Self.signIn(device)
            try await device.showManageSubscriptions()
        case .changeAccount:
            if let credentials = await device.configuration.interface.signIn() { try await device.signIn(credentials) }
            device.paymentQueue.add(listener)
        case .download, .continueDownload:
            try await Self.download(device, buys: self == .download)
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

    /// Downloads content until no transaction is unfinished; an alarm ends the process after 60 seconds.
    private static func download(_ device: Device, buys: Bool) async throws {
        alarm(60)
        let (finished, continuation) = AsyncStream.makeStream(of: Void.self)
        let downloader = Downloader { continuation.yield() }
        device.paymentQueue.add(downloader)
        if buys { device.paymentQueue.add(payment("com.example.monkeyshop.book")) }
        await device.waitUntilIdle()
        var events = finished.makeAsyncIterator()
        while !device.paymentQueue.transactions.isEmpty {
            await events.next()
            await device.waitUntilIdle()
        }
        withExtendedLifetime(downloader) {}
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
