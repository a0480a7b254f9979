// Package badlist is the CSV files that are no lists of names, each with what every door that imports has to say of it. It is
// for tests of the command, the mutation and the page alone, so that the three say the same.
package badlist

import "strings"

// File is a file that cannot be imported.
type File struct {
	// Name says what is wrong, as the name of a case.
	Name string
	CSV  string
	// Says is a part of the message, which names the cause.
	Says string
	// Lines reports whether single lines are refused, the message standing at line 2; otherwise the file is refused as a whole.
	Lines bool
	// Long is a file that is too long for a request of the mutation.
	Long bool
}

// Files are one of each kind.
func Files() []File {
	return []File{
		{Name: "empty but for a BOM", CSV: "\ufeff\n", Says: "the file is empty; its first line names the columns"},
		{Name: "a header alone", CSV: "name,county\n\n", Says: "the file names columns and holds no name"},
		{Name: "a BOM and a header alone", CSV: "\ufeffname;county\r\n", Says: "the file names columns and holds no name"},
		{Name: "no header", CSV: "Wren Moonsail,fulton\n", Says: `line 1 names no column name or last: its titles are "Wren Moonsail", "fulton"`},
		{Name: "a whole name beside its parts", CSV: "Full Name,Last Name\nWren Moonsail,Moonsail\n", Says: `line 1 names a whole name, "Full Name", beside a part of one, "Last Name"; take either the whole or all parts out`},
		{Name: "bars part the values", CSV: "name|county\nWren Moonsail|fulton\n", Says: "line 1 parts its values by |; part them by commas, semicolons or tabs"},
		{Name: "a line sep=", CSV: "sep=;\r\nname;county\r\nWren Moonsail;fulton\r\n", Says: "line 1 is sep=;, which only spreadsheets read; take that line away"},
		{Name: "line ends of CR alone", CSV: "name,county\rWren Moonsail,fulton\r", Says: "the file ends its lines by CR alone"},
		{Name: "a workbook", CSV: "PK\x03\x04 xl/workbook.xml", Says: "the file is a workbook such as .xlsx, and no CSV; save its sheet as CSV UTF-8"},
		{Name: "UTF-16 cut off", CSV: "\xff\xfen\x00a", Says: "the file begins as UTF-16 and is cut off"},
		{Name: "a million lines", CSV: "name\n" + strings.Repeat("A B\n", 1_000_000), Says: "the file has more than 100000 names", Long: true},
		{Name: "mixed encodings", CSV: "name\nRen\xe9 Moonsail\n\u00c1da Tumbler\n", Says: "the line is not UTF-8: it may be Windows-1252", Lines: true},
		{Name: "a quote that stays open", CSV: "name\n\"Wren Moonsail\n", Says: "a quote is opened and not closed", Lines: true},
		{Name: "too many values", CSV: "name,county\nMoonsail, Wren,fulton\n", Says: "the line has 3 values and the first line names 2 columns; put a value that holds the separator in quotes", Lines: true},
		{Name: "too few values", CSV: "name,county\nWren Moonsail\n", Says: "the line has 1 value and the first line names 2 columns", Lines: true},
	}
}
