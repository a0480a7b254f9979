package models

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
)

const cursorTag = 8 // bytes of the authentication tag in a cursor

// sealCursor makes an opaque cursor for a list: a position that only this service, with the same
// secret key, can have made. list keeps a cursor of one list from being used on another.
func (s *Store) sealCursor(list string, position any) (string, error) {
	b, err := json.Marshal(position)
	if err != nil {
		return "", err
	}
	return base64.RawURLEncoding.EncodeToString(append(s.cursorTag(list, b), b...)), nil
}

// openCursor reads what sealCursor made into position.
func (s *Store) openCursor(list, cursor string, position any) error {
	bad := Invalid("after", "after is not a cursor of this list; take it from pageInfo.endCursor")
	b, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil || len(b) <= cursorTag || !hmac.Equal(b[:cursorTag], s.cursorTag(list, b[cursorTag:])) {
		return bad
	}
	if json.Unmarshal(b[cursorTag:], position) != nil {
		return bad
	}
	return nil
}

func (s *Store) cursorTag(list string, b []byte) []byte {
	m := hmac.New(sha256.New, s.cursorKey)
	m.Write([]byte(list))
	m.Write([]byte{0})
	m.Write(b)
	return m.Sum(nil)[:cursorTag]
}
