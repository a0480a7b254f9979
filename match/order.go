package match

import "rollcall/match/internal/lexicon"

// vietnameseOrder reports whether a name is written as in Vietnam: surname, middle names, given name (TRAN VAN MINH).
func vietnameseOrder(units []unit) bool {
	if !known().Vietnamese(units[0].words[0].Text, lexicon.Surname) {
		return false
	}
	for _, u := range units[1:] {
		if !u.lone() || !known().Vietnamese(u.words[0].Text, lexicon.Given) && u.words[0].Text != "van" && u.words[0].Text != "thi" {
			return false
		}
	}
	return true
}

// koreanOrder reports whether a name is written as in Korea: surname, then a given name of two words (KIM YOUNG-HEE, LEE JIN WOO).
func koreanOrder(units []unit) bool {
	words := 0
	for _, u := range units[1:] {
		for _, w := range u.words {
			if !known().Fits(units[0].origin(), w) {
				return false
			}
			words++
		}
	}
	origin, _ := known().Of(units[0].origin())
	return origin == "korean" && words == 2
}
