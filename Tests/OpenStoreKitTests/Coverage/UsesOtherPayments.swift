import Crypto
import Foundation
import PurchaseTestSupport
import StoreKit

/// External purchases and payment method bindings, which this implementation does not support.
extension StoreKitUses {
    mutating func addOtherPayments() {
        of("ExternalPurchase", ExternalPurchase.self as any Sendable.Type)
        has("canPresent", { () async -> Bool in await ExternalPurchase.canPresent })
        has("presentNoticeSheet()", { () async throws -> ExternalPurchase.NoticeResult in try await ExternalPurchase.presentNoticeSheet() })
        of("ExternalPurchase.NoticeResult", ExternalPurchase.NoticeResult.self as any (Hashable & Sendable).Type)
        has("cancelled", ExternalPurchase.NoticeResult.cancelled)
        has(
            "continuedWithExternalPurchaseToken(token:)",
            { (a: String) -> ExternalPurchase.NoticeResult in .continuedWithExternalPurchaseToken(token: a) })
        of("ExternalPurchaseLink", ExternalPurchaseLink.self as any Sendable.Type)
        has("canOpen", { () async -> Bool in await ExternalPurchaseLink.canOpen })
        has("eligibleURLs", { () async -> [URL]? in await ExternalPurchaseLink.eligibleURLs })
        has("open()", { () async throws in try await ExternalPurchaseLink.open() })
        has("open(url:)", { (a: URL) async throws in try await ExternalPurchaseLink.open(url: a) })
        of("ExternalPurchaseCustomLink", ExternalPurchaseCustomLink.self as any Sendable.Type)
        has("isEligible", { () async -> Bool in await ExternalPurchaseCustomLink.isEligible })
        has(
            "showNotice(type:)",
            { (a: ExternalPurchaseCustomLink.NoticeType) async throws -> ExternalPurchaseCustomLink.NoticeResult in
                try await ExternalPurchaseCustomLink.showNotice(type: a)
            })
        has(
            "token(for:)",
            { (a: String) async throws -> ExternalPurchaseCustomLink.Token? in try await ExternalPurchaseCustomLink.token(for: a) })
        of("ExternalPurchaseCustomLink.NoticeResult", ExternalPurchaseCustomLink.NoticeResult.self as any (Hashable & Sendable).Type)
        has("cancelled", ExternalPurchaseCustomLink.NoticeResult.cancelled)
        has("continued", ExternalPurchaseCustomLink.NoticeResult.continued)
        of(
            "ExternalPurchaseCustomLink.NoticeType",
            ExternalPurchaseCustomLink.NoticeType.self as any (RawRepresentable & Hashable & Sendable).Type)
        has("withinApp", ExternalPurchaseCustomLink.NoticeType.withinApp)
        has("browser", ExternalPurchaseCustomLink.NoticeType.browser)
        of("ExternalPurchaseCustomLink.Token", ExternalPurchaseCustomLink.Token.self as any (Hashable & Sendable).Type)
        has("value", { (it: ExternalPurchaseCustomLink.Token) -> String in it.value })
        of("ExternalLinkAccount", ExternalLinkAccount.self as any Sendable.Type)
        has("canOpen", { () async -> Bool in await ExternalLinkAccount.canOpen })
        has("open()", { () async throws in try await ExternalLinkAccount.open() })
        of("PaymentMethodBinding", PaymentMethodBinding.self as any (Hashable & Sendable & Identifiable).Type)
        has("init(id:)", { (a: String) async throws -> PaymentMethodBinding in try await PaymentMethodBinding(id: a) })
        has("id", { (it: PaymentMethodBinding) -> String in it.id })
        has("bind()", { (it: PaymentMethodBinding) async throws in try await it.bind() })
        of(
            "PaymentMethodBinding.PaymentMethodBindingError",
            PaymentMethodBinding.PaymentMethodBindingError.self as any (LocalizedError & Hashable).Type)
        has("notEligible", PaymentMethodBinding.PaymentMethodBindingError.notEligible)
        has("invalidPinningID", PaymentMethodBinding.PaymentMethodBindingError.invalidPinningID)
        has("failed", PaymentMethodBinding.PaymentMethodBindingError.failed)
        has("errorDescription", { (it: PaymentMethodBinding.PaymentMethodBindingError) -> String? in it.errorDescription })
    }
}
