import OpenStoreKit

/// A phone of the tour.
public struct TourDevice: Sendable {
    /// The name of the folder with the phone's files.
    public let name: String
    /// The account that is signed in on the phone.
    public let account: TourAccount

    /// The identifier and the password of the account.
    var credentials: Credentials { Credentials(account: account.id, password: account.password) }

    /// The adult customer's phone.
    public static let first = TourDevice(name: "phone", account: .adult)
    /// The adult customer's second phone.
    public static let second = TourDevice(name: "second-phone", account: .adult)
    /// The phone that replaces the adult customer's first phone.
    public static let new = TourDevice(name: "new-phone", account: .adult)
    /// The phone that the adult customer uses on a plane.
    public static let traveling = TourDevice(name: "travel-phone", account: .adult)
    /// The child's phone.
    public static let child = TourDevice(name: "childs-phone", account: .child)
}
