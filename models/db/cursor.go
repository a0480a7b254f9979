package db

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"

	"rollcall/models"
)

const cursorTag = 8 // bytes of the authentication tag in a cursor

// SealCursor makes an opaque cursor for a list: a position that only this service, with the same
// secret key, can have made. list keeps a cursor of one list from being used on another.
func (d *DB) SealCursor(list string, position any) (string, error) {
	b, err := json.Marshal(position)
	if err != nil {
		return "", err
	}
	return base64.RawURLEncoding.EncodeToString(append(d.cursorTag(list, b), b...)), nil
}

// OpenCursor reads what SealCursor made into position.
func (d *DB) OpenCursor(list, cursor string, position any) error {
	bad := models.Invalid("after", "after is not a cursor of this list; take it from pageInfo.endCursor")
	b, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil || len(b) <= cursorTag || !hmac.Equal(b[:cursorTag], d.cursorTag(list, b[cursorTag:])) {
		return bad
	}
	if json.Unmarshal(b[cursorTag:], position) != nil {
		return bad
	}
	return nil
}

func (d *DB) cursorTag(list string, b []byte) []byte {
	m := hmac.New(sha256.New, d.cursorKey)
	m.Write([]byte(list))
	m.Write([]byte{0})
	m.Write(b)
	return m.Sum(nil)[:cursorTag]
}
