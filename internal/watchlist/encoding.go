package watchlist

import (
	"bytes"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
)

// Encoding is how a file writes its letters. A byte order mark says it better: a file that begins with one of UTF-8 or
// UTF-16 is read as it says.
type Encoding string

// The encodings.
const (
	UTF8 Encoding = "utf-8"
	// Windows1252 is what older spreadsheets write. Nothing in a file shows it, so it is never guessed.
	Windows1252 Encoding = "windows-1252"
)

// Marks with which a file says how it is written.
var (
	markUTF8 = []byte(Mark)
	markLE   = []byte("\xff\xfe")
	markBE   = []byte("\xfe\xff")
)

// inUTF8 returns the text of a file. Letters of UTF-8 that are wrong stay as they are: their lines are refused one by one.
func inUTF8(all []byte, written Encoding) ([]byte, error) {
	switch {
	case bytes.HasPrefix(all, markUTF8):
		return all[len(markUTF8):], nil
	case bytes.HasPrefix(all, markLE), bytes.HasPrefix(all, markBE):
		out, err := unicode.UTF16(unicode.LittleEndian, unicode.ExpectBOM).NewDecoder().Bytes(all)
		if err != nil || len(all)%2 != 0 {
			return nil, refused("the file begins as UTF-16 and is cut off; save it as CSV UTF-8")
		}
		return out, nil
	case written == Windows1252:
		out, err := charmap.Windows1252.NewDecoder().Bytes(all)
		if err != nil {
			return nil, refused("the file cannot be read as Windows-1252; save it as CSV UTF-8")
		}
		return out, nil
	case written != UTF8 && written != "":
		return nil, refused("the encoding %.40q is not known: it is %s or %s", written, UTF8, Windows1252)
	case len(all) > 1 && (all[0] == 0 || all[1] == 0):
		return nil, refused("the file holds NUL characters from its beginning: it may be UTF-16 without its mark; save it as CSV UTF-8")
	}
	return all, nil
}
