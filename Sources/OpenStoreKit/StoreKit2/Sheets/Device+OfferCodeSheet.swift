import Foundation
import PurchaseModel

extension Device {
    /// Asks the user for an offer code and has the store redeem it; a cancel is no error, as the sheet was shown.
    ///
    /// What was bought comes like other news.
    func redeemOfferCode() async throws(StoreKitError) {
        guard let code = await engine.interface.offerCode() else { return }
        await engine.ready()
        let reply: PurchaseReply
        do throws(PaymentFailure) {
            reply = try await engine.require(DeviceEndpoints.redeem, RedeemRequest(payment: PaymentID(UUID()), code: code))
        } catch { throw StoreKitError(error) }
        switch reply {
        case .purchased, .deferred, .permissionNeeded: engine.submit(.retry)
        case .refused(let code, let message): throw StoreKitError(PaymentFailure(domain: SKError.errorDomain, code: code, message: message))
        }
    }
}
