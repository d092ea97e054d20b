;; SPDX-License-Identifier: Apache-2.0
;; The work of one item, a function of seed and number only, and the totals all items add up to.
(ns subjects.clojure.work
  (:require [clojure.string :as string]
            [clojure.set :as set]))

(def accounts (vec (repeatedly 5 #(ref 0))))
(def finished (atom {}))
(def journal (agent 0))

(defn- numbers
  "Pseudo-random numbers below limit; a lazy sequence."
  [seed limit]
  (->> (iterate #(mod (+ (* % 1103515245) 12345) 2147483648) (+ 1 (mod seed 2147483647)))
       rest
       (map #(mod (quot % 65536) limit))))

(defn- compile-polynomial
  "Source text -> function, through the compiler."
  [coefficients]
  (load-string (str "(fn [x] " (reduce (fn [inner c] (list '+ c (list '* 'x inner))) 0 coefficients) ")")))

(defn- queens
  "The number of solutions for n queens, on persistent sets."
  [n]
  (letfn [(place [row columns up down]
            (if (= row n)
              1
              (reduce + (for [c (set/difference (set (range n)) columns)
                              :when (not (or (up (+ row c)) (down (- row c))))]
                          (place (inc row) (conj columns c) (conj up (+ row c)) (conj down (- row c)))))))]
    (place 0 #{} #{} #{})))

(defn- word-statistics [ns]
  (->> ns
       (map #(Long/toString % 36))
       (partition-all 5)
       (mapcat #(string/split (string/join "a" %) #"a"))
       (group-by count)
       (into (sorted-map))
       (reduce-kv (fn [m k v] (assoc m k [(count v) (first (sort v))])) (sorted-map))))

(defn- post!
  "Moves amount between two accounts; the sum over all accounts stays 0."
  [from to amount]
  (dosync
    (alter (accounts from) - amount)
    (alter (accounts to) + amount)))

(defn item [seed number]
  (let [ns (numbers (+ (* 7919 seed) number) 1000)
        polynomial (compile-polynomial (take 6 ns))]
    (doseq [[from to amount] (take 40 (partition 3 ns))]
      (post! (mod from 5) (mod to 5) amount))
    (swap! finished update (mod number 7) (fnil inc 0))
    (send journal + (first ns))
    (pr-str [(mapv polynomial (range -3 4))
             (queens (+ 5 (mod number 2)))
             (word-statistics (take 1500 ns))])))

(defn totals []
  (await journal)
  (pr-str [(mapv deref accounts) (into (sorted-map) @finished) @journal]))
