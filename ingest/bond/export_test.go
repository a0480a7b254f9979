package bond

// ReadPlain reads a text that is one statement by its words, also one that has none.
var ReadPlain = readPlain
