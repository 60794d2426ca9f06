import HTTPTypes
import PurchaseModel
import Wire
import WireServer

/// An error of a request about the seats of a subscription.
enum SeatError: StoreRefusal {
    /// The store does not sell the subscription in seats.
    case noSeats
    /// Another party invites the members of the group: the App Store or the developer's server.
    case otherManagement(InvitationManagement)
    /// The subscription has ended.
    case ended
    /// Each seat is occupied.
    case noAvailableSeats
    /// The account is the purchaser, who needs no seat.
    case purchaser
    /// The account buys in another environment than the purchaser.
    case otherEnvironment
    /// The account is not a member of the group.
    case notMember
    /// No active claim has the identifier.
    case claimUnknown(String)
    /// The number of seats for the renewal is less than 1, or more than the customer has.
    case invalidRenewal

    var status: HTTPResponse.Status {
        switch self {
        case .notMember, .claimUnknown: .notFound
        case .noSeats, .otherManagement, .ended, .noAvailableSeats, .purchaser, .otherEnvironment, .invalidRenewal: .conflict
        }
    }

    var wireError: WireError {
        switch self {
        case .noSeats:
            WireError(
                code: "seats.none",
                message: "The subscription is not sold in seats. Add _tillrollSeats to its product in the .storekit file.")
        case .otherManagement(.developer):
            WireError(
                code: "seats.developer-managed",
                message: "The developer's server invites the members of this group, and claims their seats with the App Store Server API.")
        case .otherManagement(.apple):
            WireError(
                code: "seats.apple-managed",
                message: "The App Store invites the members of this group, so that no server claims seats. Add an account as a member.")
        case .ended: WireError(code: "seats.ended", message: "The subscription has ended. Buy it again.")
        case .noAvailableSeats: WireError(code: "seats.occupied", message: "Each seat is occupied. Add seats, or remove a member.")
        case .purchaser: WireError(code: "seats.purchaser", message: "The purchaser has access without a seat. Name another account.")
        case .otherEnvironment:
            WireError(
                code: "seats.other-environment",
                message: "The account and the purchaser are in different environments. Change the account's environment.")
        case .notMember: WireError(code: "seats.not-member", message: "The account is not a member of the group.")
        case .claimUnknown(let id): WireError(code: "seats.claim-unknown", message: "The group has no active claim \(id).")
        case .invalidRenewal:
            WireError(
                code: "seats.invalid-renewal",
                message: "The number of seats at the renewal is from 1 to the number that the customer has. Buy seats to have more.")
        }
    }
}
