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
    /// The child's phone.
    package static let child = TourDevice(name: "childs-phone", account: .child)
}
