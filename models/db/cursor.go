package db

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"slices"

	"rollcall/models"
)

// cursorTagBytes is the number of bytes of the authentication tag at the beginning of a cursor. Eight
// bytes keep cursors short, and guessing one takes about 2^63 requests.
const cursorTagBytes = 8

// SealCursor returns an opaque cursor of a list: a position, authenticated but not encrypted, so a
// position must hold nothing that the caller may not see. Only a service with the same secret key
// can have made it. list keeps a cursor of one list from being used on another.
func (d *DB) SealCursor(list string, position any) (string, error) {
	b, err := json.Marshal(position)
	if err != nil {
		return "", err
	}
	return base64.RawURLEncoding.EncodeToString(append(cursorTag(d.cursorKeys[0], list, b), b...)), nil
}

// OpenCursor decodes a cursor that SealCursor made for the same list into position. Any other text
// is a models.Error on the parameter after, whether it was altered or belongs to another list.
func (d *DB) OpenCursor(list, cursor string, position any) error {
	bad := models.Invalid("after", "after is not a cursor of this list; take it from pageInfo.endCursor")
	b, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil || len(b) <= cursorTagBytes {
		return bad
	}
	ours := slices.ContainsFunc(d.cursorKeys, func(key []byte) bool { return hmac.Equal(b[:cursorTagBytes], cursorTag(key, list, b[cursorTagBytes:])) })
	if !ours || json.Unmarshal(b[cursorTagBytes:], position) != nil {
		return bad
	}
	return nil
}

// cursorTag is the truncated HMAC-SHA256 of a list's name and a position. The zero byte between
// them keeps the name of one list from running into the position of another.
func cursorTag(key []byte, list string, b []byte) []byte {
	m := hmac.New(sha256.New, key)
	m.Write([]byte(list))
	m.Write([]byte{0})
	m.Write(b)
	return m.Sum(nil)[:cursorTagBytes]
}
