import HTTPTypes
import PurchaseModel
import PurchaseProtocol
import WireServer

extension StoreError: WireRefusal {
    var status: HTTPResponse.Status {
        switch self {
        case .invalidValue, .tooManyProducts, .advanceOutOfRange, .invalidNotificationURL, .invalidCatalog, .persistenceUnavailable,
            .invalidStoreFile, .invalidHistory,
            .notificationKindUnknown, .contentEmpty:
            .badRequest
        case .signInRefused, .signedOut: .unauthorized
        case .appUnknown, .accountUnknown, .approvalUnknown, .transactionUnknown, .storeUnknown, .refundRequestUnknown, .productUnknown,
            .contentUnknown, .notificationUnknown:
            .notFound
        case .contentRevoked: .forbidden
        case .accountTaken, .paymentReused, .approvalDecided, .approvalRefused, .notCharged, .notRefunded, .duplicateRefundRequest,
            .changeRefused,
            .tooManyEvents, .storeTaken, .extensionRefused, .triggerNotApplicable, .tooManyFaults:
            .conflict
        case .tooManyStores, .behind: .serviceUnavailable
        }
    }

    var retryAfterSeconds: Int? {
        if case .behind = self { 1 } else { nil }
    }

    var wireError: WireError {
        switch self {
        case .invalidValue(let field):
            WireError(code: "request.invalid-value", message: "Invalid value for the request parameter \(field).")
        case .tooManyProducts:
            WireError(
                code: "products.too-many",
                message: "The request has too many products; the maximum is \(ProductsRequest.limit). Send several requests.")
        case .signInRefused:
            WireError(code: "account.sign-in-refused", message: "The account does not exist, or the password is wrong.")
        case .signedOut:
            WireError(code: "account.signed-out", message: "The sign-in token is missing or invalid; sign in first.")
        case .appUnknown:
            WireError(code: "app.unknown", message: "No app with this bundle ID in this store. List the apps with: tillroll store apps")
        case .accountTaken:
            WireError(
                code: "account.taken", message: "An account with this name and a different configuration exists; choose another name.")
        case .accountUnknown:
            WireError(code: "account.unknown", message: "The account does not exist; create the account first.")
        case .paymentReused:
            WireError(
                code: "payment.reused", message: "Another payment has this payment identifier; create a new identifier for each payment.")
        case .approvalUnknown:
            WireError(
                code: "approval.unknown",
                message: "The store has no payment with this identifier; list pending payments with: tillroll store approvals")
        case .approvalDecided:
            WireError(
                code: "approval.decided", message: "The payment or refund request already has a different outcome; a decision is final.")
        case .approvalRefused(let refusal):
            WireError(code: "approval.refused", message: "The store can no longer complete the payment. \(refusal.message)")
        case .transactionUnknown:
            WireError(code: "transaction.unknown", message: "The transaction does not exist, or it belongs to another account or app.")
        case .notCharged:
            WireError(
                code: "refund.not-charged",
                message:
                    "The transaction has no charge to refund: it is restored, free or already refunded. Refund the charged transaction.")
        case .notRefunded:
            WireError(code: "refund.not-refunded", message: "The refund cannot be reversed, because the transaction is not refunded.")
        case .duplicateRefundRequest:
            WireError(code: "refund-request.duplicate", message: "A refund was already requested or approved for this transaction.")
        case .changeRefused(let refusal):
            WireError(code: "subscription.not-changed", message: refusal.message)
        case .refundRequestUnknown:
            WireError(
                code: "refund-request.unknown",
                message: "The refund request does not exist; list refund requests with: tillroll store refund-requests")
        case .productUnknown:
            WireError(
                code: "product.unknown",
                message: "No product with this identifier in this app. List the products with: tillroll store products")
        case .contentUnknown:
            WireError(
                code: "content.unknown", message: "The store hosts no content for this product; upload a file with: tillroll store content")
        case .contentEmpty:
            WireError(
                code: "content.empty",
                message: "The product's content is empty. Send the bytes of a file, or remove the hosted content with DELETE.")
        case .contentRevoked:
            WireError(code: "content.revoked", message: "The transaction is refunded or revoked; its content is no longer available.")
        case .extensionRefused(let refusal):
            WireError(
                code: "subscription.not-extended", message: "The subscription's renewal date cannot be extended (reason: \(refusal)).")
        case .storeUnknown:
            WireError(code: "store.unknown", message: "The host has no store with this name; create the store with: tillroll store create")
        case .storeTaken:
            WireError(code: "store.taken", message: "A store with this name exists; choose another name, or omit the name.")
        case .tooManyStores:
            WireError(code: "store.too-many", message: "The host has the maximum of \(StoreHost.storeLimit) stores; remove a store first.")
        case .persistenceUnavailable:
            WireError(
                code: "store.not-persistent",
                message: "The host has no folder for persistent stores; start it with: tillroll store up --folder FOLDER")
        case .invalidCatalog(let error):
            WireError(code: "storekit.invalid", message: error.description)
        case .invalidStoreFile(let refusal):
            WireError(code: "store.invalid-file", message: refusal.message)
        case .invalidHistory(let refusal):
            WireError(code: "history.invalid", message: refusal.message)
        case .advanceOutOfRange:
            WireError(
                code: "clock.out-of-range",
                message: "The store's time cannot go back, advance by more than ten years, or pass \(StoreTime.range.upperBound).")
        case .behind(let due):
            WireError(
                code: "store.behind",
                message: "The store is still processing events that were due at \(due). Try again in one second.")
        case .tooManyEvents:
            WireError(
                code: "clock.too-many-events",
                message: "Too many events are due. The store's time advanced to the last processed event; advance it again to continue."
            )
        case .notificationUnknown:
            WireError(code: "notifications.unknown", message: "The notification does not exist.")
        case .notificationKindUnknown:
            WireError(
                code: "notifications.kind-unknown",
                message:
                    "Unknown notification type or subtype. Available: \(TriggerScenario.names.joined(separator: ", "))."
            )
        case .triggerNotApplicable(let reason):
            WireError(code: "notifications.trigger-not-applicable", message: reason)
        case .tooManyFaults:
            WireError(
                code: "faults.too-many",
                message: "The maximum of \(StoreLedger.faultLimit) faults is enabled; disable faults with: tillroll store fault clear")
        case .invalidNotificationURL:
            WireError(code: "notifications.invalid-url", message: "The notification URL must be an http or https URL.")
        }
    }
}

extension StoreError: CustomStringConvertible {
    var description: String { wireError.message }
}
