// The enumerations of StoreKit 1, which are defined in C.
@_exported public import CStoreKit
// Apple's StoreKit exports Foundation, and many files of apps that use `Date` or `URL` import only StoreKit.
@_exported public import Foundation

// Foundation contains this style on Apple's platforms. Apps import the rest of OpenStoreKit explicitly.
@_exported public import struct OpenStoreKit.PeriodFormatStyle
