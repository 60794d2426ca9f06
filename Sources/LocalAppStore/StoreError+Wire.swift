import HTTPTypes
import PurchaseModel
import PurchaseProtocol
import WireServer

extension StoreError: WireRefusal {
    var status: HTTPResponse.Status {
        switch self {
        case .unusable, .tooManyProducts, .advanceOutOfRange, .notificationURLUnusable, .catalogUnusable, .nothingIsKept,
            .storeFileUnusable, .historyUnusable,
            .notificationKindUnknown, .contentEmpty:
            .badRequest
        case .signInRefused, .signedOut: .unauthorized
        case .appUnknown, .accountUnknown, .approvalUnknown, .transactionUnknown, .storeUnknown, .refundRequestUnknown, .productUnknown,
            .contentUnknown, .notificationUnknown:
            .notFound
        case .contentRevoked: .forbidden
        case .accountTaken, .paymentReused, .approvalDecided, .approvalRefused, .nothingToRefund, .nothingToReverse, .refundAsked,
            .changeRefused,
            .tooManyEvents, .storeTaken, .extensionRefused, .triggerUnfit, .tooManyFaults:
            .conflict
        case .tooManyStores, .behind: .serviceUnavailable
        }
    }

    var retryAfterSeconds: Int? {
        if case .behind = self { 1 } else { nil }
    }

    var wireError: WireError {
        switch self {
        case .unusable(let field):
            WireError(code: "request.unusable", message: "The value of \(field) cannot be used.")
        case .tooManyProducts:
            WireError(code: "products.too-many", message: "One request may name \(ProductsRequest.limit) products at most.")
        case .signInRefused:
            WireError(code: "account.sign-in-refused", message: "There is no such account, or the password is another one.")
        case .signedOut:
            WireError(code: "account.signed-out", message: "Sign in first; the token is missing or not known.")
        case .appUnknown:
            WireError(code: "app.unknown", message: "This store does not sell for that app.")
        case .accountTaken:
            WireError(code: "account.taken", message: "There is an account of that name with other data; choose another name.")
        case .accountUnknown:
            WireError(code: "account.unknown", message: "There is no such account; open it first.")
        case .paymentReused:
            WireError(code: "payment.reused", message: "That payment id belongs to another payment; make a new one for each payment.")
        case .approvalUnknown:
            WireError(code: "approval.unknown", message: "No such payment waits for a parent.")
        case .approvalDecided:
            WireError(code: "approval.decided", message: "The parent has decided otherwise before.")
        case .approvalRefused(let refusal):
            WireError(code: "approval.refused", message: "The payment cannot be settled any more. \(refusal.message)")
        case .transactionUnknown:
            WireError(code: "transaction.unknown", message: "There is no such transaction.")
        case .nothingToRefund:
            WireError(code: "refund.nothing-paid", message: "Nothing was paid for that transaction; refund the one that was charged.")
        case .nothingToReverse:
            WireError(code: "refund.nothing-refunded", message: "That transaction was not refunded.")
        case .refundAsked:
            WireError(code: "refund-request.duplicate", message: "A refund was already requested or granted for this transaction.")
        case .changeRefused(let refusal):
            WireError(code: "subscription.not-changed", message: refusal.message)
        case .refundRequestUnknown:
            WireError(code: "refund-request.unknown", message: "There is no such request for a refund.")
        case .productUnknown:
            WireError(code: "product.unknown", message: "The app sells no such product.")
        case .contentUnknown:
            WireError(code: "content.unknown", message: "The store hosts no content for that product.")
        case .contentEmpty:
            WireError(code: "content.empty", message: "The content has no bytes. Send those of a file; DELETE removes what is hosted.")
        case .contentRevoked:
            WireError(code: "content.revoked", message: "That transaction was refunded; its content is not handed out.")
        case .extensionRefused(let refusal):
            WireError(code: "subscription.not-extended", message: "The renewal date cannot be put off: \(refusal).")
        case .storeUnknown:
            WireError(code: "store.unknown", message: "There is no store at this address; POST /stores makes one.")
        case .storeTaken:
            WireError(code: "store.taken", message: "There is a store of that name; choose another name, or none.")
        case .tooManyStores:
            WireError(code: "store.too-many", message: "There are \(StoreHost.storeLimit) stores; remove one first.")
        case .nothingIsKept:
            WireError(code: "store.not-kept", message: "This host has no folder to keep stores in; start it with one.")
        case .catalogUnusable(let error):
            WireError(code: "storekit.unusable", message: error.description)
        case .storeFileUnusable(let refusal):
            WireError(code: "store.file-unusable", message: refusal.sentence)
        case .historyUnusable(let refusal):
            WireError(code: "history.unusable", message: refusal.sentence)
        case .advanceOutOfRange:
            WireError(
                code: "clock.out-of-range",
                message: "The time can be moved forward by 0 seconds to ten years, to \(StoreTime.range.upperBound) at the latest.")
        case .behind(let due):
            WireError(
                code: "store.behind",
                message: "The store is catching up with its time: what was due at \(due) has not happened yet. Ask again in a second.")
        case .tooManyEvents:
            WireError(
                code: "clock.too-many-events",
                message: "Too much falls due on the way; the time stands at the last event, and moving it again goes on from there."
            )
        case .notificationUnknown:
            WireError(code: "notifications.unknown", message: "There is no such notification.")
        case .notificationKindUnknown:
            WireError(
                code: "notifications.kind-unknown",
                message:
                    "The App Store has no notification of that type and subtype; there are: \(TriggerScenario.names.joined(separator: ", "))."
            )
        case .triggerUnfit(let reason):
            WireError(code: "notifications.trigger-unfit", message: reason)
        case .tooManyFaults:
            WireError(code: "faults.too-many", message: "\(StoreLedger.faultLimit) faults are on; switch some off first.")
        case .notificationURLUnusable:
            WireError(code: "notifications.url-unusable", message: "Notifications go to an http or https address.")
        }
    }
}

extension StoreError: CustomStringConvertible {
    var description: String { wireError.message }
}
