// The methods of the client return values of this module.
@_exported public import StoreProtocol
