// The module with the enumerations of StoreKit 1, which are declared in C because only C enumerations are open in Swift.
@_exported public import CStoreKit
// Apple's StoreKit also exports Foundation, and many source files of apps import only StoreKit to use `Date` or `URL`.
@_exported public import Foundation

// On Apple's platforms, Foundation contains this format style. Apps import the other types of OpenStoreKit explicitly.
@_exported public import struct OpenStoreKit.PeriodFormatStyle
