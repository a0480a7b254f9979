// Package watchlist reads and writes lists of names to watch as CSV. It is pure: whether a line can be watched, and what it
// would find, is for others to say.
//
// The first line names the columns, in any order and letter case, by the titles of usual exports too. Comma, semicolon and tab
// are taken as what parts the values. A column that is not known is not read, and named. What cannot be read is a Problem with
// its line; what makes the whole file unreadable is an error. Nothing is guessed and nothing is left out silently.
//
// A spreadsheet runs a value that begins with =, +, -, @, a tab or a carriage return as a formula. Written values of that
// kind begin with an apostrophe, and reading takes it away again. So what is written is read as it was.
package watchlist
