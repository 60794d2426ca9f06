import OpenStoreKit
import PurchaseKit
import PurchaseModel
import Synchronization

/// A sheet of the App Store or an alert of the system on a phone.
enum Sheet: Sendable {
    /// Asks for an account and the password; the associated account must sign in again, and nil permits any account.
    case signIn(AccountID?, SignInReason)
    case confirmation(ConfirmationSheet)
    /// Asks a child whether to request a parent's approval.
    case permission(ConfirmationSheet)
    case priceConsent(PriceConsentSheet)
    case offerCode
    case offerCodeRefused(String, reason: String)
    case refund(RefundSheet)
    case subscriptions(SubscriptionsSheet)
    /// Asks the user to choose the products to restore.
    case restore([RestorableProduct])
}

/// A user's answer to a sheet.
enum SheetAnswer: Sendable {
    case cancel
    /// The button that confirms or consents, such as "Buy".
    case agree
    /// The button that refuses, in a sheet that also has a button to decide later.
    case refuse
    case credentials(Credentials)
    case text(String)
    case refundReason(ConsumptionRequestReason)
    case subscription(SubscriptionsSheet.Change)
    case products(Set<ProductID>)
}

/// The sheets of one app session on a phone, which the page shows one at a time.
final class PageInterface: StoreInterface {
    private struct Waiting {
        let id: Int
        let sheet: Sheet
        let answer: CheckedContinuation<SheetAnswer, Never>
    }

    private struct State {
        var waiting: [Waiting] = []
        var lastID = 0
        var isClosed = false
    }

    private let state = Mutex(State())
    private let changed: @Sendable () -> Void

    /// - Parameter changed: Called after a sheet is added or answered.
    init(changed: @escaping @Sendable () -> Void) {
        self.changed = changed
    }

    /// The sheet on the screen; nil if there is no sheet.
    var current: (id: Int, sheet: Sheet)? { state.withLock { $0.waiting.first.map { ($0.id, $0.sheet) } } }

    /// Answers the sheet on the screen; has no effect if the sheet has another identifier.
    func answer(_ id: Int, _ answer: SheetAnswer) {
        let waiting = state.withLock { state -> Waiting? in
            guard state.waiting.first?.id == id else { return nil }
            return state.waiting.removeFirst()
        }
        waiting?.answer.resume(returning: answer)
        changed()
    }

    /// Cancels all sheets, and each later sheet immediately, because the app session has ended.
    func close() {
        let waiting = state.withLock { state in
            state.isClosed = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for sheet in waiting { sheet.answer.resume(returning: .cancel) }
    }

    /// Shows a sheet, and waits for the answer.
    func show(_ sheet: Sheet) async -> SheetAnswer {
        await withCheckedContinuation { continuation in
            let isClosed = state.withLock { state in
                guard !state.isClosed else { return true }
                state.lastID += 1
                state.waiting.append(Waiting(id: state.lastID, sheet: sheet, answer: continuation))
                return false
            }
            if isClosed { continuation.resume(returning: .cancel) } else { changed() }
        }
    }

    private func agrees(to sheet: Sheet) async -> Bool {
        if case .agree = await show(sheet) { true } else { false }
    }

    // MARK: - Sheets of the store

    func signIn() async -> Credentials? { await signIn(nil, .purchase) }

    func signIn(for reason: SignInReason) async -> Credentials? { await signIn(nil, reason) }

    func signIn(again account: AccountID, for reason: SignInReason) async -> Credentials? { await signIn(account, reason) }

    private func signIn(_ account: AccountID?, _ reason: SignInReason) async -> Credentials? {
        if case .credentials(let credentials) = await show(.signIn(account, reason)) { credentials } else { nil }
    }

    func confirm(_ sheet: ConfirmationSheet) async -> Bool { await agrees(to: .confirmation(sheet)) }

    func askPermission(_ sheet: ConfirmationSheet) async -> Bool { await agrees(to: .permission(sheet)) }

    func consent(to sheet: PriceConsentSheet) async -> Bool? {
        switch await show(.priceConsent(sheet)) {
        case .agree: true
        case .refuse: false
        default: nil
        }
    }

    func offerCode() async -> String? {
        if case .text(let code) = await show(.offerCode) { code } else { nil }
    }

    func showRedemptionFailure(of code: String, because reason: String) async {
        _ = await show(.offerCodeRefused(code, reason: reason))
    }

    func refundReason(_ sheet: RefundSheet) async -> ConsumptionRequestReason? {
        if case .refundReason(let reason) = await show(.refund(sheet)) { reason } else { nil }
    }

    func manage(_ sheet: SubscriptionsSheet) async -> SubscriptionsSheet.Change? {
        if case .subscription(let change) = await show(.subscriptions(sheet)) { change } else { nil }
    }

    /// Asks the user to choose among the restorable products.
    func choose(_ products: [RestorableProduct]) async -> Set<ProductID> {
        if case .products(let products) = await show(.restore(products)) { products } else { [] }
    }
}
