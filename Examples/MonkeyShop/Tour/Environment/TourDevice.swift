/// A phone of the tour.
package struct TourDevice: Sendable {
    /// The name of the folder with the phone's files.
    package let name: String
    /// The account that is signed in on the phone.
    package let account: TourAccount

    /// The adult customer's phone.
    package static let first = TourDevice(name: "phone", account: .adult)
    /// The adult customer's second phone.
    package static let second = TourDevice(name: "second-phone", account: .adult)
    /// The phone that replaces the adult customer's first one.
    package static let new = TourDevice(name: "new-phone", account: .adult)
    /// The phone that the adult customer uses on a plane.
    package static let traveling = TourDevice(name: "travel-phone", account: .adult)
    /// The child's phone.
    package static let child = TourDevice(name: "childs-phone", account: .child)
}
