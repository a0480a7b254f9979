package graph

// KeptFields are the fields whose answers may be given again, by type.
var KeptFields = keptFields
