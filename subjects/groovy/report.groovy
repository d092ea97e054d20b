// SPDX-License-Identifier: Apache-2.0
// Word statistics with closures, GStrings, dynamic dispatch, a category, a builder and a class. In: text, item.

class Word {
  String text
  int count

  def weight() { count * text.size() }

  String toString() { "${text}:${count}" }
}

class Vowels {
  static int vowels(String self) { self.findAll(/[aeiou]/).size() }
}

def words = text.split(' ').toList()
    .countBy { it }
    .collect { word, count -> new Word(text: word, count: count) }
    .sort { a, b -> b.weight() <=> a.weight() ?: a.text <=> b.text }

def vowels = use(Vowels) { words.sum { it.text.vowels() * it.count } }

def fibonacci
fibonacci = { n -> n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2) }

def json = new groovy.json.JsonBuilder()
json.report {
  number item
  top words.take(5).collect { it.toString() }
  lengths words.groupBy { it.text.size() }.sort().collect { size, group -> [size, group.size()] }
}

def primes = (2..200).findAll { n -> (2..<n).every { n % it } || n == 2 }

"${json.toString()} ${vowels} ${fibonacci(12)} ${primes.sum()} ${words*.weight().max()}".toString()
