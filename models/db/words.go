package db

import (
	"fmt"

	"rollcall/match"
	"rollcall/models"
)

// mostWords bounds the words of a name query. Names have fewer, and any part of one finds it.
const mostWords = 8

// NameWords folds a name query into words; given is false when there is no name filter. A name of blanks
// folds to nothing, and so matches nothing (DECISIONS.md, "Names"). One of more than 300 bytes or 8 words is
// CodeInvalidParameter, at every door.
func NameWords(name *string) (words []string, given bool, err error) {
	if name == nil || *name == "" {
		return nil, false, nil
	}
	if err := models.PlainText("name", *name); err != nil {
		return nil, false, err
	}
	if words = match.Words(*name); len(words) > mostWords {
		return nil, false, models.Invalid("name", fmt.Sprintf("%%s has more than %d words; leave some out", mostWords), "name")
	}
	return words, true, nil
}
