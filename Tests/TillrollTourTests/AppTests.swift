import Foundation
import LocalAppStore
import Logging
import MonkeyShop
import MonkeyShopBackend
import OpenStoreKit
import PurchaseKit
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import StoreControl
import StoreKit
import Synchronization
import Testing

@testable import TillrollTour

/// Tests of the sample app with a store and a server, with the public API of PurchaseKit.
@Suite struct AppTests {
    private static let magazine = MonkeyShopProduct.magazine

    private func play(_ body: @Sendable (TourEnvironment) async throws -> Void) async throws {
        try await TemporaryFolder.with { folder in
            try await TourEnvironment.with(folder: folder.url.path, appExecutable: "", logger: .silent) { try await body($0) }
        }
    }

    @Test func `a promotional offer that the server signs is applied`() async throws {
        try await play { tour in
            let phone = try await tour.launch(.first)
            let subscription = try await phone.buyIfNeeded(Self.magazine)
            try await tour.control.setAutoRenew(isEnabled: false, of: subscription)
            try await tour.advance(days: 40)
            let outcome = await phone.app.run { await $0.buy(Self.magazine, offer: "come-back") }
            guard case .purchased(let purchase, .delivered) = outcome else {
                Issue.record("\(outcome)")
                return
            }
            #expect(purchase.transaction.payload.offerIdentifier == "come-back")
        }
    }

    @Test func `an offer that the server does not sign, or can't sign without a network, is a failure with advice`() async throws {
        try await play { tour in
            let phone = try await tour.launch(.first)
            let nameless = await phone.app.run { await $0.buy(Self.magazine, offer: "") }
            guard case .failed(let refused) = nameless else {
                Issue.record("\(nameless)")
                return
            }
            #expect(refused.kind == .invalidOffer && !refused.message.isEmpty && !refused.advice.isEmpty)
            try await phone.device.change { $0.airplaneMode = true }
            let offline = await phone.app.run { await $0.buy(Self.magazine, offer: "come-back") }
            guard case .failed(let failure) = offline else {
                Issue.record("\(offline)")
                return
            }
            #expect(failure.kind == .network)
            #expect(failure.message == "The server that signs the offer can't be reached.")
            #expect(try await tour.charges(.adult).isEmpty)
        }
    }

    @Test func `the requests to the server are observed with their bodies, and without credentials`() async throws {
        try await play { tour in
            let exchanges = Mutex<[ServerExchange]>([])
            let device = try AppSession.device(.first, on: tour, user: AutomaticInterface(TourDevice.first.credentials))
            var configuration = MonkeyShopConfiguration(
                folder: device.configuration.folder, serverURL: tour.serverURL, customer: tour.customer, credentials: tour.credentials,
                extraRoots: tour.store.rootsPEM)
            configuration.observe = { exchange in exchanges.withLock { $0.append(exchange) } }
            let app = try await LaunchedApp(on: device, configuration)
            _ = await app.run { await $0.buy(MonkeyShopProduct.credits5) }
            await app.waitUntilIdle()
            let found = exchanges.withLock { $0 }
            let submission = try #require(found.first { $0.method == "POST" && $0.path == "/v1/purchases" })
            #expect(submission.status == 200 && submission.request?.isEmpty == false && submission.response?.isEmpty == false)
            #expect(found.contains { $0.method == "GET" && $0.path == "/v1/products" && $0.request == nil })
            for exchange in found {
                for body in [exchange.request, exchange.response].compactMap(\.self) {
                    #expect(!String(decoding: body, as: UTF8.self).contains(tour.credentials.customerToken))
                }
            }
            await app.close()
        }
    }

    @Test func `content is not requested without a network, and continues when it is back`() async throws {
        try await play { tour in
            let phone = try await tour.launch(.first)
            _ = try await phone.buyIfNeeded(MonkeyShopProduct.atlas)
            try await phone.device.change { $0.airplaneMode = true }
            let offline = await phone.app.run { await $0.download(.atlas) }
            #expect(offline == .delayed("The device has no network. The download continues when the network is available."))
            #expect(phone.shop.downloads.events.isEmpty)
            try await phone.device.change { $0.airplaneMode = false }
            guard case .installed = await phone.app.run({ await $0.download(.atlas) }), case .announced = phone.shop.downloads.events.first,
                case .installed = phone.shop.downloads.events.last
            else {
                Issue.record("\(phone.shop.downloads.events)")
                return
            }
            #expect(await phone.shop.text(of: .atlas) == MonkeyShopBook.atlas.text)
        }
    }
}
